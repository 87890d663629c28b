// Reports changed reads of an app as an endless async iteration.
import { type Streams, streams } from './generated/console.ts';
import { followStream, type StreamClient, type StreamOptions } from './stream.ts';

export type ChangesInput = Omit<Streams['followChanges']['input'], 'reads'> & {
  /** Addresses of reads below the address of the app, such as `endpoints` or `deliveries?status=failed`. */
  reads: readonly string[];
};

export interface Changes {
  /** The reads to repeat. Empty for a keep-alive. */
  reads: string[];
  /** The position after these changes. Pass it as `after` to continue a later stream from there. */
  position: string | undefined;
}

/** Follows changes. Reconnects after an interruption and continues from the last position. */
export async function* followChanges(
  client: StreamClient,
  { reads, ...input }: ChangesInput,
  options: StreamOptions,
): AsyncGenerator<Changes, void, undefined> {
  const parameters = { ...input, reads: reads.join(',') };
  for await (const { id, data } of followStream(client, streams.followChanges, parameters, options)) {
    const event: Pick<Changes, 'reads'> = data === undefined ? { reads: [] } : JSON.parse(data); // the contract defines the event `changed`
    yield { ...event, position: id };
  }
}
