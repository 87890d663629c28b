import { expect, test } from 'vitest';
import { newUuid } from '../../kit/crypto/ids.ts';
import { type DrillRow, exampleDrillDetail, toDrillDetail } from './drill.ts';

test('a drill whose steps were stored with the names of release 0.1.0 has the current names in its report', () => {
  const [first] = exampleDrillDetail.steps;
  const failed = { ...first, verdict: 'failed', fix: 'Respond with 200.' };
  const stored = JSON.stringify([first, failed])
    .replaceAll('"fix":', '"mend":')
    .replaceAll('"processedCount":', '"processed":')
    .replaceAll('"stateSequence":', '"shownSequence":');
  const steps = JSON.parse(stored) as DrillRow['steps']; // as release 0.1.0 stored them
  const row: DrillRow = {
    drill_id: newUuid(),
    endpoint_id: newUuid(),
    status: 'completed',
    reason: null,
    steps,
    created_by: 'imke@example.org',
    created_at: new Date('2026-11-02T10:15:30.000Z'),
    finished_at: new Date('2026-11-02T10:15:31.000Z'),
  };
  expect(toDrillDetail(row).steps).toStrictEqual([first, failed]);
});
