// Server-sent events, as the HTML standard has them.
import type { TailPage } from './tail.ts';

// Sooner than the three seconds that browsers wait by themselves.
const RETRY_MS = 1_000;

/** JSON has no line breaks of its own, and a position none at all: nothing that is in a record can begin a field. */
export function eventText({ data, missed, position }: TailPage): string {
  return `retry: ${RETRY_MS}\nid: ${position}\nevent: requests\ndata: ${JSON.stringify({ data, missed })}\n\n`;
}

/** No event, and yet its id is where a reader goes on. */
export const beatText = (position: string): string => `: nothing new\nid: ${position}\n\n`;
