// Follows the requests of an app as an endless async iteration.
import { type RequestRecord, type Streams, streams } from './generated/console.ts';
import { followStream, type StreamClient, type StreamOptions } from './stream.ts';

export type TailInput = Streams['tailRequests']['input'];

/** Requests that the tail omitted because the reader was too slow. */
export interface MissedRequests {
  /** Number of omitted requests that match the filter. Null if they are too old to count. */
  count: number | null;
  /** Time of the first omitted request. */
  since: string;
  /** End of the gap, exclusive. `listRequests` returns the omitted requests. */
  until: string;
}

/** Requests that arrived together. Empty for a keep-alive. */
export interface TailedRequests {
  /** Oldest first. */
  data: RequestRecord[];
  missed: MissedRequests | null;
  /** The position after these requests. Pass it as `after` to continue a later tail from there. */
  position: string | undefined;
}

/** Reconnects after an interruption and continues from the last position. */
export type Tail = AsyncGenerator<TailedRequests, void, undefined>;

/** The event `requests` of the contract. */
type TailEvent = Omit<TailedRequests, 'position'>;

export async function* tailRequests(client: StreamClient, input: TailInput, options: StreamOptions): Tail {
  for await (const { id, data } of followStream(client, streams.tailRequests, { ...input }, options)) {
    const event: TailEvent = data === undefined ? { data: [], missed: null } : JSON.parse(data);
    yield { ...event, position: id };
  }
}
