// The steps of a drill: the messages, and the response that a receiver should give. Pure.

export interface DrillMessage {
  /**
   * Sequence on the step's only subject. Messages with the same sequence are one event: the same id and the same bytes.
   */
  sequence: number;
  /** The signers; by default the endpoint's own secrets. A stranger is a secret that is thrown away. */
  signedBy?: 'nobody' | 'stranger' | 'stranger_then_own' | 'own_then_stranger';
  signedAgoS?: number;
  happenedAgoS?: number;
  /** Formatted so that parsing and serialising the body changes its bytes. */
  isSpaced?: boolean;
  /** Changed after it was signed. */
  isChanged?: boolean;
}

/** The effect that a receiver with the header `Slipway-Drill` must report at the end of the step. */
export type DrillEffect = { processed: number } | { sequence: number };

export interface StepPlan {
  name: string;
  sends: string;
  expects: 'accepted' | 'refused';
  messages: readonly DrillMessage[];
  isAtOnce?: boolean;
  effect?: DrillEffect;
  /** The change that a receiver needs if its responses are not as expected. */
  mend: string;
  /** The change that a receiver needs if its responses are correct and its effect is wrong. */
  effectMend?: string;
}

/** Seconds, far beyond the five minutes that receivers allow. */
const STALE_S = 3_600;
/** Seconds between an event and its last scheduled attempt. */
const LATE_S = 75 * 3_600;

const FORGERY = 'Verify the signature before you do anything else';

export const DRILL_STEPS = [
  {
    name: 'correct',
    sends: 'An event, as every delivery is sent.',
    expects: 'accepted',
    messages: [{ sequence: 1 }],
    mend: 'Answer 2xx to a message that verifies with the endpoint’s signing secret, also when you do not know its type. Nothing else was sent: without this no other answer would mean anything.',
  },
  {
    name: 'raw_bytes',
    sends: 'An event whose JSON is indented and has an escaped letter.',
    expects: 'accepted',
    messages: [{ sequence: 1, isSpaced: true }],
    mend: 'Verify the bytes of the body as they arrived. JSON that was parsed and written again has other bytes, and another signature.',
  },
  {
    name: 'duplicates',
    sends: 'One event twice: the same `webhook-id` and body, each signed as of its own moment.',
    expects: 'accepted',
    messages: [{ sequence: 1 }, { sequence: 1 }],
    effect: { processed: 1 },
    mend: 'Answer 2xx to what you already have: whatever else is sent again.',
    effectMend:
      'Keep each `webhook-id` that you have processed, in the transaction of what it brings about, and pass over what you have.',
  },
  {
    name: 'duplicates_at_once',
    sends: 'One event twice at the same moment.',
    expects: 'accepted',
    messages: [{ sequence: 1 }, { sequence: 1 }],
    isAtOnce: true,
    effect: { processed: 1 },
    mend: 'Answer 2xx to both: the second one waits for the first, or is passed over.',
    effectMend:
      'Let a unique constraint on `webhook-id` decide which comes first: to look whether it is there and to insert it then leaves a gap in between.',
  },
  {
    name: 'delayed',
    sends:
      'The second event of a subject, and then its first, which happened 75 hours ago and is signed now, as a last attempt is.',
    expects: 'accepted',
    messages: [{ sequence: 2 }, { sequence: 1, happenedAgoS: LATE_S }],
    effect: { sequence: 2 },
    mend: 'Judge the age of a message by `webhook-timestamp`, not by `occurredAt`: an event may be delivered days after it happened.',
    effectMend:
      'Keep the `sequence` of each subject, and do not let an earlier event overwrite what a later one has brought.',
  },
  {
    name: 'shuffled',
    sends: 'Four events of one subject in the order 2, 4, 1, 3.',
    expects: 'accepted',
    messages: [{ sequence: 2 }, { sequence: 4 }, { sequence: 1 }, { sequence: 3 }],
    effect: { sequence: 4 },
    mend: 'Answer 2xx in whatever order events come, and put them in order by `sequence` yourself.',
    effectMend:
      'Keep the `sequence` of each subject, and do not let an earlier event overwrite what a later one has brought.',
  },
  {
    name: 'rotated_secret',
    sends:
      'Two events with two signatures each, one of them by another secret: once before the right one, once after it.',
    expects: 'accepted',
    messages: [
      { sequence: 1, signedBy: 'stranger_then_own' },
      { sequence: 2, signedBy: 'own_then_stranger' },
    ],
    mend: 'Accept a message when any of its signatures, which are divided by spaces, is right: while a secret is rotated there are two.',
  },
  {
    name: 'stale_timestamp',
    sends: 'An event that is signed as of an hour ago.',
    expects: 'refused',
    messages: [{ sequence: 1, signedAgoS: STALE_S }],
    mend: 'Refuse what is older than five minutes by its `webhook-timestamp`: else whoever has seen a message can send it again for ever.',
  },
  {
    name: 'wrong_signature',
    sends: 'An event that is signed with another secret.',
    expects: 'refused',
    messages: [{ sequence: 1, signedBy: 'stranger' }],
    mend: `${FORGERY}: as it is, anybody can send you events.`,
  },
  {
    name: 'missing_signature',
    sends: 'An event without a signature.',
    expects: 'refused',
    messages: [{ sequence: 1, signedBy: 'nobody' }],
    mend: `${FORGERY}, and refuse what has none: whoever forges a message leaves it out.`,
  },
  {
    name: 'changed_body',
    sends: 'An event one word of which was changed after it was signed.',
    expects: 'refused',
    messages: [{ sequence: 1, isChanged: true }],
    mend: 'Verify the signature over identifier, timestamp and the whole body, as it arrived.',
  },
  {
    name: 'correct_again',
    sends: 'An event, as the first one was.',
    expects: 'accepted',
    messages: [{ sequence: 1 }],
    mend: 'Go on accepting what is right after you have refused what is not: forgeries must not keep real events away.',
  },
] as const satisfies readonly StepPlan[];

export type StepName = (typeof DRILL_STEPS)[number]['name'];
export const STEP_NAMES: readonly StepName[] = DRILL_STEPS.map(({ name }) => name);

export const planOf = (name: StepName): StepPlan | undefined => DRILL_STEPS.find((step) => step.name === name);
