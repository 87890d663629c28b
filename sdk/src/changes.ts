// What of an app is no longer answered as before, as an iteration without an end.
import { type Streams, streams } from './generated/console.ts';
import { followStream, type StreamClient, type StreamOptions } from './stream.ts';

export type ChangesInput = Omit<Streams['followChanges']['input'], 'reads'> & {
  /** Addresses of reads below that of the app, as `endpoints` or `deliveries?status=failed`. */
  reads: readonly string[];
};

export interface Changes {
  /** What is to be read again. Nothing of it says that the connection lives. */
  reads: string[];
  /** The place behind it: given as `after`, a later stream goes on from there. */
  position: string | undefined;
}

/** It goes on by itself after an interruption, from where it was. */
export async function* followChanges(
  client: StreamClient,
  { reads, ...input }: ChangesInput,
  options: StreamOptions,
): AsyncGenerator<Changes, void, undefined> {
  const wish = { ...input, reads: reads.join(',') };
  for await (const { id, data } of followStream(client, streams.followChanges, wish, options)) {
    const event: Pick<Changes, 'reads'> = data === undefined ? { reads: [] } : JSON.parse(data); // as the contract says of `changed`
    yield { ...event, position: id };
  }
}
