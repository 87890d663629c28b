// What the demo's receiver has got: the last few messages, each once with a count, the verified apart from the forged.
// What it reads out of a body is a stranger's, so it is only ever a short text.
import { LRUCache } from 'lru-cache';
import { inert } from '../../kit/text/inert.ts';
import { redactKeys } from '../../kit/text/redact.ts';

export interface Receipt {
  eventId: string;
  type: string;
  /** Of the ticket, where it is one. */
  subject: string | null;
  isVerified: boolean;
  /** Why it was not verified. */
  reason: string | null;
  timesSeen: number;
  firstSeenAt: string;
  lastSeenAt: string;
}

export interface Receipts {
  add(receipt: Omit<Receipt, 'timesSeen' | 'firstSeenAt' | 'lastSeenAt'>, atMs: number): Receipt;
  /** Newest first. */
  list(): Receipt[];
}

const MAX_KEPT = 50;
const MAX_TEXT_LENGTH = 200;

export function createReceipts(): Receipts {
  const kept = new LRUCache<string, Receipt>({ max: MAX_KEPT });
  return {
    add(receipt, atMs) {
      // A forgery under the id of a true message must not take its place.
      const name = `${receipt.isVerified} ${receipt.eventId}`;
      const at = new Date(atMs).toISOString();
      const earlier = kept.get(name);
      const merged = {
        ...receipt,
        timesSeen: (earlier?.timesSeen ?? 0) + 1,
        firstSeenAt: earlier?.firstSeenAt ?? at,
        lastSeenAt: at,
      };
      kept.set(name, merged);
      return merged;
    },
    list: () => [...kept.values()], // most recently set first
  };
}

// Keys are masked before the text is cut: half a key looks like none.
const shortText = (value: unknown): string | null =>
  typeof value === 'string' ? inert(redactKeys(value)).slice(0, MAX_TEXT_LENGTH) : null;

export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? value[name as keyof typeof value] : undefined;

export function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What the page shows of a message. */
export function describe(body: Buffer, webhookId: string | undefined): Pick<Receipt, 'eventId' | 'type' | 'subject'> {
  const envelope = parse(body);
  return {
    eventId: shortText(webhookId) ?? 'none',
    type: shortText(fieldOf(envelope, 'type')) ?? 'unknown',
    subject: shortText(fieldOf(fieldOf(envelope, 'data'), 'subject')),
  };
}
