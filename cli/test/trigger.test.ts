// Tests the summary of `slipway trigger --wait` about deliveries that have not succeeded.
import { expect, test } from 'vitest';
import { summariseStatuses } from '../src/commands/trigger.ts';

type MissedTrigger = Parameters<typeof summariseStatuses>[0][number];

test.each<[string, MissedTrigger[]]>([
  ['1 is still being tried', [{ status: 'pending', reason: null }]],
  [
    '2 are still being tried, 1 was skipped (endpoint_disabled), 1 failed',
    [
      { status: 'pending', reason: null },
      { status: 'skipped', reason: 'endpoint_disabled' },
      { status: 'pending', reason: null },
      { status: 'failed', reason: null },
    ],
  ],
  [
    '1 was cancelled (key_revoked), 1 was cancelled (\\x1b[2J)',
    [
      { status: 'cancelled', reason: 'key_revoked' },
      { status: 'cancelled', reason: '\x1b[2J' },
    ],
  ],
  ['1 is odd', [{ status: 'odd' as MissedTrigger['status'], reason: null }]],
])('%s', (said, deliveries) => expect(summariseStatuses(deliveries)).toBe(said));
