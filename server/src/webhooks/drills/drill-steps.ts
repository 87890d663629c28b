// The steps of a drill: the messages, and the response that a receiver should give. Pure.

export interface DrillMessage {
  /**
   * Sequence on the step's only subject. Messages with the same sequence are one event: the same id and the same bytes.
   */
  sequence: number;
  /** The secrets that sign; by default the endpoint's own secrets. `other` is a new secret that is not stored. */
  signedBy?: 'none' | 'other' | 'other_then_own' | 'own_then_other';
  signedAgoS?: number;
  happenedAgoS?: number;
  /** Formatted so that parsing and serialising the body changes its bytes. */
  isSpaced?: boolean;
  /** Changed after it was signed. */
  isChanged?: boolean;
}

/** The effect that a receiver with the header `Slipway-Drill` must report at the end of the step. */
export type DrillEffect = { processed: number } | { sequence: number };

export interface DrillStepPlan {
  name: string;
  sends: string;
  expects: 'accepted' | 'refused';
  messages: readonly DrillMessage[];
  isConcurrent?: boolean;
  effect?: DrillEffect;
  /** The change that a receiver needs if its responses are not as expected. */
  fix: string;
  /** The change that a receiver needs if its responses are correct and its effect is wrong. */
  effectFix?: string;
}

/** Seconds, far beyond the five minutes that receivers allow. */
const STALE_S = 3_600;
/** Seconds between an event and its last scheduled attempt. */
const LATE_S = 75 * 3_600;

const FORGERY = 'Verify the signature before you process a message';

export const DRILL_STEPS = [
  {
    name: 'correct',
    sends: 'A correct event.',
    expects: 'accepted',
    messages: [{ sequence: 1 }],
    fix: 'Respond with 2xx to every message that verifies with the endpoint’s signing secret, even if you do not know its type. The other steps were not sent, because their results would mean nothing.',
  },
  {
    name: 'raw_bytes',
    sends: 'An event whose JSON is indented and contains an escaped letter.',
    expects: 'accepted',
    messages: [{ sequence: 1, isSpaced: true }],
    fix: 'Verify the raw bytes of the body. JSON that was parsed and serialised again has different bytes, and therefore a different signature.',
  },
  {
    name: 'duplicates',
    sends: 'One event twice, with the same `webhook-id` and body. Each message has its own timestamp and signature.',
    expects: 'accepted',
    messages: [{ sequence: 1 }, { sequence: 1 }],
    effect: { processed: 1 },
    fix: 'Respond with 2xx to an event that you already have. After any other response it is sent again.',
    effectFix:
      'Store each processed `webhook-id` in the same transaction as its effects, and ignore a message whose `webhook-id` is stored.',
  },
  {
    name: 'duplicates_at_once',
    sends: 'One event twice at the same time.',
    expects: 'accepted',
    messages: [{ sequence: 1 }, { sequence: 1 }],
    isConcurrent: true,
    effect: { processed: 1 },
    fix: 'Respond with 2xx to both messages. The second one can wait for the first, or be ignored.',
    effectFix:
      'Let a unique constraint on `webhook-id` decide which message is first. A lookup before the insert is a race.',
  },
  {
    name: 'delayed',
    sends:
      'The second event of a subject, and then its first. The first happened 75 hours ago and is signed now, like the last attempt of a delivery.',
    expects: 'accepted',
    messages: [{ sequence: 2 }, { sequence: 1, happenedAgoS: LATE_S }],
    effect: { sequence: 2 },
    fix: 'Check the age of a message by `webhook-timestamp`, not by `occurredAt`. An event can be delivered days after it happened.',
    effectFix:
      'Store the latest `sequence` of each subject, and do not let an earlier event overwrite the state of a later one.',
  },
  {
    name: 'shuffled',
    sends: 'Four events of one subject in the order 2, 4, 1, 3.',
    expects: 'accepted',
    messages: [{ sequence: 2 }, { sequence: 4 }, { sequence: 1 }, { sequence: 3 }],
    effect: { sequence: 4 },
    fix: 'Respond with 2xx in whichever order events arrive, and order them by `sequence`.',
    effectFix:
      'Store the latest `sequence` of each subject, and do not let an earlier event overwrite the state of a later one.',
  },
  {
    name: 'rotated_secret',
    sends:
      'Two events with two signatures each. One signature is made with another secret; it stands before the correct one in the first event, and after it in the second.',
    expects: 'accepted',
    messages: [
      { sequence: 1, signedBy: 'other_then_own' },
      { sequence: 2, signedBy: 'own_then_other' },
    ],
    fix: 'Split the signatures at spaces, and accept a message if any of them is correct. During a secret rotation a message has two signatures.',
  },
  {
    name: 'stale_timestamp',
    sends: 'An event whose signed timestamp is one hour old.',
    expects: 'refused',
    messages: [{ sequence: 1, signedAgoS: STALE_S }],
    fix: 'Refuse a message whose `webhook-timestamp` is older than five minutes. Otherwise an attacker who captured a message can replay it forever.',
  },
  {
    name: 'wrong_signature',
    sends: 'An event that is signed with another secret.',
    expects: 'refused',
    messages: [{ sequence: 1, signedBy: 'other' }],
    fix: `${FORGERY}. Your receiver accepts forged events.`,
  },
  {
    name: 'missing_signature',
    sends: 'An event without a signature.',
    expects: 'refused',
    messages: [{ sequence: 1, signedBy: 'none' }],
    fix: `${FORGERY}, and refuse a message without a signature. An attacker can leave it out.`,
  },
  {
    name: 'changed_body',
    sends: 'An event whose body was changed after it was signed.',
    expects: 'refused',
    messages: [{ sequence: 1, isChanged: true }],
    fix: 'Verify the signature over the identifier, the timestamp and the whole raw body.',
  },
  {
    name: 'correct_again',
    sends: 'A correct event, like the first one.',
    expects: 'accepted',
    messages: [{ sequence: 1 }],
    fix: 'Accept correct messages even after you refused forged ones. Otherwise forgeries block real events.',
  },
] as const satisfies readonly DrillStepPlan[];

export type StepName = (typeof DRILL_STEPS)[number]['name'];
export const STEP_NAMES: readonly StepName[] = DRILL_STEPS.map(({ name }) => name);

export const findStepPlan = (name: StepName): DrillStepPlan | undefined =>
  DRILL_STEPS.find((step) => step.name === name);
