// After a promotion, a change is answered when no process can rely on the previous primary any more (docs/decisions/0095,
// `previousPrimaryMs`). So each period for which a process relies on what it read must end before this wait.
import { expect, test } from 'vitest';
import { AUTHORITY_DEADLINE_MS } from '../src/access/authority/authority.ts';
import { CONFIRM_AFTER_MS, CONFIRMED_FOR_MS } from '../src/kit/db/primary.ts';
import { LEASE_MARGIN_MS } from '../src/webhooks/dispatch/workers/cancel-in-flight-deliveries.ts';
import { LEASE_MS } from '../src/webhooks/dispatch/workers/worker-membership.ts';

test.each([
  ['authority: the age of a confirmation and the deadline of a batch', CONFIRM_AFTER_MS + AUTHORITY_DEADLINE_MS],
  ['a worker: its lease and the margin for clocks', LEASE_MS + LEASE_MARGIN_MS],
])('the wait of a change after a promotion is longer than %s', (_, periodMs) => {
  expect(periodMs).toBeLessThan(CONFIRMED_FOR_MS);
});
