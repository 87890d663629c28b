// Runs the ticks of worlds, each in its own transaction together with its event. Several workers may run: the worker
// that locks the world's row owns the tick.

import {
  asManager,
  type EventPort,
  type TenantTransaction,
  tryLockActiveApp,
  type WorkPort,
} from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { runEach } from '../../kit/flow/run-each.ts';
import { applyTick } from './apply-tick.ts';
import { listDueWorlds, lockDueWorld, postponeTick, scheduleNextTick } from './store.ts';
import { PRESET_KINDS } from './world.ts';

const RUN_EVERY_MS = 250;
const BATCH = 100;
/** Each round runs one tick per world, so that a fast world does not delay the others. */
const ROUNDS = 4;
const POSTPONED_MS = 60_000;

export function startWorldTicks(worker: Database, plane: WorkPort, onError: (error: unknown) => void): Loop {
  return startLoop(() => runDueWorlds(worker, plane, onError), RUN_EVERY_MS, onError);
}

/** Runs the due worlds, a few ticks each. A world whose tick fails is reported and delays no other world. */
export async function runDueWorlds(
  worker: Database,
  plane: WorkPort,
  onError: (error: unknown) => void,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const due = await listDueWorlds(worker, BATCH);
    if (due.length === 0) return;
    const tick = (world: (typeof due)[number]) => asManager(plane, world, (tenant) => runTick(tenant, plane));
    const postpone = (world: (typeof due)[number]) =>
      asManager(plane, world, (tenant) => postponeTick(tenant, POSTPONED_MS));
    await runEach('world tick', due, tick, onError, postpone);
    plane.deliveries.wake();
  }
}

async function runTick(tenant: TenantTransaction, plane: EventPort): Promise<void> {
  const world = await lockDueWorld(tenant);
  if (!world || !(await tryLockActiveApp(tenant))) return;
  const { tickMs } = PRESET_KINDS[world.preset];
  // Without a valid key no client can read the app, so its world does not change.
  if (!world.is_watched) return scheduleNextTick(tenant, { ticks: 0, inMs: tickMs, isLapsed: world.is_lapsed });
  await applyTick(tenant, plane, world);
  const speed = world.is_lapsed ? 1 : world.speed;
  await scheduleNextTick(tenant, { ticks: 1, inMs: tickMs / speed, isLapsed: world.is_lapsed });
}
