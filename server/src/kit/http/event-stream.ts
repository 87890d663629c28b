// Server-sent events in the format of the HTML standard. A source is polled from a position on, until the client
// disconnects or loses its access.
import { monotonicMs } from '../flow/clock.ts';
import { problem } from '../openapi/problems.ts';
import { awaitFirstPiece } from './first-piece.ts';
import type { OpenStream } from './open-streams.ts';
import { text } from './schema.ts';

/** The data found after a position. */
export interface StreamPart {
  /** The position after this data. */
  position: string;
  data: unknown;
  /** True if `data` contains something new. The first part is sent in any case. */
  isNews: boolean;
  /** True if more data is already available. */
  isMore: boolean;
}

interface StreamSource {
  /** Name of the events. */
  event: string;
  from: string | undefined;
  pauseMs: number;
  /** Returns undefined while the source is unavailable. Throws if the client has lost its access. */
  read(from: string | undefined): Promise<StreamPart | undefined>;
}

// Shorter than the three seconds that browsers wait by default.
const RETRY_MS = 1_000;
const OUTAGE_PAUSE_MS = 1_000;
/** Milliseconds between heartbeats, so that no proxy closes an idle stream. */
const HEARTBEAT_MS = 10_000;

/** Declares the reply of an operation that responds with an event stream. */
export const eventStreamReply = (description: string) => ({
  description,
  contentType: 'text/event-stream' as const,
  schema: text('Server-sent events.', { maxLength: 1_000_000_000 }),
  headers: ['X-Accel-Buffering' as const],
});

/** Starts a stream. Rejects if the first read fails, because a stream that has begun can no longer set a status. */
export async function eventStream(open: OpenStream, source: StreamSource) {
  const stream = await awaitFirstPiece(events(open, source), open.close);
  return { status: 200 as const, stream, headers: { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' } };
}

// JSON has no raw line breaks and a position has none at all, so no data can begin another field.
const eventText = (event: string, { data, position }: StreamPart): string =>
  `retry: ${RETRY_MS}\nid: ${position}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Returns a heartbeat: no event, but its id is the position from which a client resumes. */
const heartbeatText = (position: string): string => `: nothing new\nid: ${position}\n\n`;

async function* events(open: OpenStream, source: StreamSource): AsyncGenerator<string> {
  try {
    const first = await source.read(source.from);
    if (!first) throw problem('unavailable');
    yield eventText(source.event, first);
    if (!first.isMore) await open.pause(source.pauseMs);
    yield* rest(open, first.position, source);
  } finally {
    open.close();
  }
}

async function* rest(open: OpenStream, from: string, { event, pauseMs, read }: StreamSource): AsyncGenerator<string> {
  let position = from;
  let toldAtMs = monotonicMs();
  while (!open.hasEnded()) {
    // A client without access gets the refusal when it reconnects.
    const part = await read(position).catch(() => null);
    if (part === null) return;
    position = part?.position ?? position;
    if (part?.isNews || monotonicMs() - toldAtMs >= HEARTBEAT_MS) {
      toldAtMs = monotonicMs();
      yield part?.isNews ? eventText(event, part) : heartbeatText(position);
    }
    if (!part?.isMore) await open.pause(part ? pauseMs : OUTAGE_PAUSE_MS);
  }
}
