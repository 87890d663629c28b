// The tail of an app's requests as an iteration without an end.
import { type RequestRecord, type Streams, streams } from './generated/console.ts';
import type { ClientOptions } from './operation.ts';
import { type EnvironmentName, entryIn, prepare } from './prepare.ts';
import { type StreamOptions, streamFrom } from './stream.ts';

export type TailInput = Streams['tailRequests']['input'];

/** Requests that were left out, because whoever reads was too far behind. */
export interface MissedRequests {
  /** How many of them fit the filter; null when that is too long ago to be counted. */
  count: number | null;
  /** They arrived at this moment or later, */
  since: string;
  /** and before this one: the list shows them. */
  until: string;
}

/** What came at once. Without requests it says that the connection lives. */
export interface TailedRequests {
  /** Oldest first. */
  data: RequestRecord[];
  missed: MissedRequests | null;
  /** The place behind it: given as `after`, a later tail goes on from there. */
  position: string | undefined;
}

/** It goes on by itself after an interruption, from where it was. */
export type Tail = AsyncGenerator<TailedRequests, void, undefined>;

const TIMEOUT_MS = 30_000;

/** As the contract says of the event `requests`. */
type TailEvent = Omit<TailedRequests, 'position'>;

export async function* tailRequests(
  client: ClientOptions & { headers: Readonly<Record<string, string>>; environment?: EnvironmentName | undefined },
  { after, ...input }: TailInput,
  { headers, ...options }: StreamOptions,
): Tail {
  const { fetch = globalThis.fetch } = client;
  const { signal, onInterrupted, timeoutMs = client.timeoutMs ?? TIMEOUT_MS } = options;
  // In a header, where a browser's own reader has it: an address has no room for the longest.
  const prepareFrom = (position: string | undefined) => {
    const own = {
      ...headers,
      accept: 'text/event-stream',
      ...(position !== undefined && { 'last-event-id': position }),
    };
    return prepare(entryIn(client.environment, streams.tailRequests), input, { headers: own }, client);
  };
  let position = after;
  for await (const { id, data } of streamFrom(prepareFrom, after, { fetch, signal, onInterrupted, timeoutMs })) {
    position = id ?? position;
    const event: TailEvent = data === undefined ? { data: [], missed: null } : JSON.parse(data);
    yield { ...event, position };
  }
}
