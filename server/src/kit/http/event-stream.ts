// Server-sent events, as the HTML standard has them: what there is from a position on, asked for again and again until whoever reads
// has gone or may not read any more.
import { monotonicMs } from '../flow/clock.ts';
import { problem } from '../openapi/problems.ts';
import type { OpenStream } from './open-streams.ts';
import { primed } from './primed.ts';
import { text } from './schema.ts';

/** What was found from a position on. */
export interface Part {
  /** The place behind it. */
  position: string;
  data: unknown;
  /** Whether `data` says something; of the first part it is told in any case. */
  isNews: boolean;
  /** Whether more is there already. */
  isMore: boolean;
}

export interface Source {
  /** The name of its events. */
  event: string;
  from: string | undefined;
  pauseMs: number;
  /** Undefined while there is nobody who could be asked; throws when whoever reads may not any more. */
  read(from: string | undefined): Promise<Part | undefined>;
}

// Sooner than the three seconds that browsers wait by themselves.
const RETRY_MS = 1_000;
const OUTAGE_PAUSE_MS = 1_000;
/** Before a proxy thinks that nobody is there any more. */
const BEAT_MS = 10_000;

/** The reply of an operation that answers with one. */
export const eventStreamReply = (description: string) => ({
  description,
  contentType: 'text/event-stream' as const,
  schema: text('Server-sent events.', { maxLength: 1_000_000_000 }),
  headers: ['X-Accel-Buffering' as const],
});

/** Throws what the first reading throws: a stream that has begun has no status left. */
export async function eventStream(open: OpenStream, source: Source) {
  const stream = await primed(events(open, source), open.close);
  return { status: 200 as const, stream, headers: { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' } };
}

// JSON has no line breaks of its own, and a position none at all: nothing that is in a record can begin a field.
const eventText = (event: string, { data, position }: Part): string =>
  `retry: ${RETRY_MS}\nid: ${position}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** No event, and yet its id is where a reader goes on. */
const beatText = (position: string): string => `: nothing new\nid: ${position}\n\n`;

async function* events(open: OpenStream, source: Source): AsyncGenerator<string> {
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

async function* rest(open: OpenStream, from: string, { event, pauseMs, read }: Source): AsyncGenerator<string> {
  let position = from;
  let toldAtMs = monotonicMs();
  while (!open.hasEnded()) {
    // Who may not read any more is told when they come again.
    const part = await read(position).catch(() => null);
    if (part === null) return;
    position = part?.position ?? position;
    if (part?.isNews || monotonicMs() - toldAtMs >= BEAT_MS) {
      toldAtMs = monotonicMs();
      yield part?.isNews ? eventText(event, part) : beatText(position);
    }
    if (!part?.isMore) await open.pause(part ? pauseMs : OUTAGE_PAUSE_MS);
  }
}
