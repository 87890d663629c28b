// Judges whether a receiver responded as a step expects, and what it has to change. Pure.
import type { StoredDrillRequest, StoredDrillStep } from './drill.ts';
import type { DrillEffect, DrillStepPlan } from './drill-steps.ts';

type StepResult = Pick<StoredDrillStep, 'verdict' | 'fix'>;

const PASSED: StepResult = { verdict: 'passed', fix: null };
const failed = (fix: string): StepResult => ({ verdict: 'failed', fix });

const REPORT_EFFECT =
  'The responses are correct, but their effect is not visible to Slipway. Let the receiver respond to drill messages with the header `Slipway-Drill: processed=N, sequence=S`. N is the number of processed events of the message’s subject; S is the sequence that the receiver’s state of that subject shows.';
const REFUSE_INVALID =
  'Refuse the message with 400 or 401. 410 disables the endpoint; after any other response the same message is sent again.';

/** Parses the header in which a receiver reports its effect: `processed=1, sequence=3`. */
export function parseEffectHeader(header: string | undefined): Pick<StoredDrillRequest, 'processed' | 'shownSequence'> {
  const numberOf = (name: string): number | null => {
    const found = new RegExp(`(?:^|[,; ])${name}=(\\d{1,9})(?=$|[,; ])`).exec(header ?? '');
    return found ? Number(found[1]) : null;
  };
  return { processed: numberOf('processed'), shownSequence: numberOf('sequence') };
}

const isAccepted = ({ status }: Pick<StoredDrillRequest, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

// 410 would disable the endpoint, and 429 is about rates: neither refuses this message as invalid.
const isRefused = ({ status }: StoredDrillRequest): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 410 && status !== 429;

/** Returns the change for a receiver that did not respond or that redirected; undefined if it responded. */
function findFailureFix({ outcome, detail }: StoredDrillRequest): string | undefined {
  if (outcome === 'response') return undefined;
  if (outcome === 'timeout')
    return 'Respond as soon as the message is stored, and process it afterwards. A delivery times out after 15 seconds.';
  if (outcome === 'redirect')
    return 'Set the endpoint’s URL to the target of the redirect. Redirects are not followed.';
  return `There was no response: ${detail ?? outcome}`;
}

function evaluateEffect(effect: DrillEffect, requests: readonly StoredDrillRequest[], fix: string): StepResult {
  const isProcessed = 'processed' in effect;
  const expected = isProcessed ? effect.processed : effect.sequence;
  // A count only grows, so the higher of two concurrent counts is the later one.
  const counts = requests.flatMap(({ processed }) => processed ?? []);
  const reported = isProcessed ? counts.sort((a, b) => a - b).at(-1) : requests.at(-1)?.shownSequence;
  if (reported === undefined || reported === null) return { verdict: 'unseen', fix: REPORT_EFFECT };
  return reported === expected ? PASSED : failed(fix);
}

/** Judges a step of which at least one message was sent. */
export function evaluateStep(plan: DrillStepPlan, requests: readonly StoredDrillRequest[]): StepResult {
  const missed = requests.map(findFailureFix).find((fix) => fix !== undefined);
  if (missed !== undefined) return failed(missed);
  if (plan.expects === 'refused') {
    if (requests.every(isRefused)) return PASSED;
    return failed(requests.some(isAccepted) ? plan.fix : REFUSE_INVALID);
  }
  if (!requests.every(isAccepted)) return failed(plan.fix);
  return plan.effect ? evaluateEffect(plan.effect, requests, plan.effectFix ?? plan.fix) : PASSED;
}
