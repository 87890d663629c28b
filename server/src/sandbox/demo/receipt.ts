// The messages that the demo's receiver keeps: the latest ones, each once with a count, verified messages apart from
// forged ones. A field of a body comes from an unknown sender, so it is kept only as a short text.
import { LRUCache } from 'lru-cache';
import { escapeControlCharacters } from '../../kit/text/control-characters.ts';
import { redactKeys } from '../../kit/text/redact.ts';

export interface Receipt {
  eventId: string;
  type: string;
  /** The subject of a ticket; otherwise null. */
  subject: string | null;
  isVerified: boolean;
  /** The reason why verification failed. */
  reason: string | null;
  timesSeen: number;
  firstSeenAt: string;
  lastSeenAt: string;
}

export interface Receipts {
  add(receipt: Omit<Receipt, 'timesSeen' | 'firstSeenAt' | 'lastSeenAt'>, atMs: number): Receipt;
  /** Returns the receipts, newest first. */
  list(): Receipt[];
}

const MAX_KEPT = 50;
const MAX_TEXT_LENGTH = 200;

export function createReceipts(): Receipts {
  const kept = new LRUCache<string, Receipt>({ max: MAX_KEPT });
  return {
    add(receipt, atMs) {
      // A forged message must not replace a genuine message with the same id.
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

// Keys are masked before the text is cut, because half a key cannot be recognised.
const shortText = (value: unknown): string | null =>
  typeof value === 'string' ? escapeControlCharacters(redactKeys(value)).slice(0, MAX_TEXT_LENGTH) : null;

export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? value[name as keyof typeof value] : undefined;

export function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the fields of a message that the page shows. */
export function describeMessage(
  body: Buffer,
  webhookId: string | undefined,
): Pick<Receipt, 'eventId' | 'type' | 'subject'> {
  const envelope = parse(body);
  return {
    eventId: shortText(webhookId) ?? 'none',
    type: shortText(fieldOf(envelope, 'type')) ?? 'unknown',
    subject: shortText(fieldOf(fieldOf(envelope, 'data'), 'subject')),
  };
}
