// The tail of an app's requests as an iteration without an end.
import { type RequestRecord, type Streams, streams } from './generated/console.ts';
import { followStream, type StreamClient, type StreamOptions } from './stream.ts';

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

/** As the contract says of the event `requests`. */
type TailEvent = Omit<TailedRequests, 'position'>;

export async function* tailRequests(client: StreamClient, input: TailInput, options: StreamOptions): Tail {
  for await (const { id, data } of followStream(client, streams.tailRequests, { ...input }, options)) {
    const event: TailEvent = data === undefined ? { data: [], missed: null } : JSON.parse(data);
    yield { ...event, position: id };
  }
}
