// Counts the deliveries of a redelivery by status, a window at a time, and stops before the caller has waited for too
// long.

import type { Tenant } from '../../access/authority/index.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { OutcomeRow } from './redelivery.ts';
import { countOutcomes } from './store.ts';

const WINDOW = 50_000;
const COUNT_FOR_MS = 2_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export async function listOutcomes(
  tenant: Tenant,
  redeliveryId: string,
  { window = WINDOW, forMs = COUNT_FOR_MS } = {},
): Promise<{ outcomes: OutcomeRow[]; isExact: boolean }> {
  const beginMs = monotonicMs();
  const found = new Map<string, OutcomeRow>();
  let isExact = false;
  for (let after = BEFORE_ALL; !isExact && monotonicMs() - beginMs < forMs; ) {
    let examined = 0;
    for (const { status, reason, count, last } of await countOutcomes(tenant, redeliveryId, after, window)) {
      const known = found.get(`${status} ${reason}`)?.count ?? 0;
      found.set(`${status} ${reason}`, { status, reason, count: known + count });
      examined += count;
      if (last > after) after = last;
    }
    isExact = examined < window;
  }
  const outcomes = [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, outcome]) => outcome);
  return { outcomes, isExact };
}
