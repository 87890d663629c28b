// Applies genuine messages in the demo receiver, as docs/webhooks/receiving.md describes: each event once, and never an
// older state of a subject over a newer state. The response to a drill's message reports how far its subject has
// advanced.
import { LRUCache } from 'lru-cache';
import { fieldOf, parse } from './receipt.ts';

export interface EventApplier {
  /** Applies a genuine message and returns the headers of the response to it. */
  apply(body: Buffer): Record<string, string>;
}

/** Maximum number of remembered events, and of remembered subjects, so that the receiver's memory stays bounded. */
const MAX_REMEMBERED = 1_000;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function createEventApplier(): EventApplier {
  const known = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  const subjects = new LRUCache<string, { processed: number; sequence: number }>({ max: MAX_REMEMBERED });
  return {
    apply(body) {
      const event = parse(body);
      const id = textOf(fieldOf(event, 'id'));
      const subjectId = textOf(fieldOf(fieldOf(event, 'subject'), 'id'));
      const sequence = Number(fieldOf(event, 'sequence'));
      const state = subjects.get(subjectId) ?? { processed: 0, sequence: 0 };
      if (!known.has(id)) {
        state.processed += 1;
        if (sequence > state.sequence) state.sequence = sequence;
      }
      known.set(id, true);
      subjects.set(subjectId, state);
      if (fieldOf(event, 'type') !== 'drill') return {};
      return { 'slipway-drill': `processed=${state.processed}, sequence=${state.sequence}` };
    },
  };
}
