// Texts of the receiver drill.
import type { Drill, DrillStep } from '../../kit/api.ts';
import type { Tone } from '../../kit/state-badge.tsx';

export const STEP_TITLES: Record<DrillStep['name'], string> = {
  correct: 'A correct message',
  raw_bytes: 'The raw bytes',
  duplicates: 'A duplicate message',
  duplicates_at_once: 'A concurrent duplicate',
  delayed: 'A message that is days late',
  shuffled: 'Messages out of order',
  rotated_secret: 'Two signatures, as during a rotation',
  stale_timestamp: 'An old timestamp',
  wrong_signature: 'A wrong signature',
  missing_signature: 'No signature',
  changed_body: 'A changed body',
  correct_again: 'A correct message again',
};

export const EXPECTATIONS: Record<DrillStep['expects'], string> = {
  accepted: 'should be answered 2xx',
  refused: 'should be refused with 400 or 401',
};

interface StepResultLabel {
  word: string;
  tone: Tone;
}

const STEP_RESULT_LABELS: Record<NonNullable<DrillStep['verdict']>, StepResultLabel> = {
  passed: { word: 'passed', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
  unseen: { word: 'not seen', tone: 'warning' },
  not_sent: { word: 'not sent', tone: 'none' },
};

export function stepResultLabelOf({ verdict }: DrillStep): StepResultLabel {
  return verdict === null ? { word: 'pending', tone: 'waiting' } : STEP_RESULT_LABELS[verdict];
}

export const DRILL_TONES: Record<Drill['status'], Tone> = { running: 'waiting', completed: 'good', stopped: 'warning' };

/** Returns "9 passed, 1 failed, 2 not seen". */
export function summariseDrill({ summary }: Drill): string {
  const counts: [number, string][] = [
    [summary.passed, 'passed'],
    [summary.failed, 'failed'],
    [summary.unseen, 'not seen'],
    [summary.notSent, 'not sent'],
  ];
  const words = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return words.length === 0 ? 'nothing yet' : words.join(', ');
}
