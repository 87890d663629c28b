// Runs the ticks of worlds, each in its own transaction together with its event. Several workers may run: the worker
// that locks the world's row owns the tick.

import { asManager, holdActiveApp, type Plane, type TenantTransaction } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { tracedJob } from '../../kit/telemetry/trace.ts';
import { listDueWorlds, lockDueWorld, postponeTurn, updateTurn } from './store.ts';
import { liveTurn } from './turn.ts';
import { PRESET_KINDS } from './world.ts';

const LOOK_EVERY_MS = 250;
const BATCH = 100;
/** Each round runs one tick per world, so that a fast world does not delay the others. */
const ROUNDS = 4;
const POSTPONED_MS = 60_000;

export function startWorlds(worker: Database, plane: Plane, onError: (error: unknown) => void): Loop {
  return startLoop(() => liveDueWorlds(worker, plane, onError), LOOK_EVERY_MS, onError);
}

/** Runs the due worlds, a few ticks each. A world whose tick fails is reported and delays no other world. */
export async function liveDueWorlds(worker: Database, plane: Plane, onError: (error: unknown) => void): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const due = await listDueWorlds(worker, BATCH);
    if (due.length === 0) return;
    for (const world of due) {
      const turn = () => asManager(plane, world, (tenant) => takeTurn(tenant, plane));
      await tracedJob('world tick', turn).catch(async (error: unknown) => {
        onError(error);
        await asManager(plane, world, (tenant) => postponeTurn(tenant, POSTPONED_MS)).catch(onError);
      });
    }
    plane.wake();
  }
}

async function takeTurn(tenant: TenantTransaction, plane: Plane): Promise<void> {
  const world = await lockDueWorld(tenant);
  if (!world || !(await holdActiveApp(tenant))) return;
  const { turnMs } = PRESET_KINDS[world.preset];
  // Without a valid key no client can read the app, so its world does not change.
  if (!world.is_watched) return updateTurn(tenant, { turns: 0, inMs: turnMs, isLapsed: world.is_lapsed });
  await liveTurn(tenant, plane, world);
  const speed = world.is_lapsed ? 1 : world.speed;
  await updateTurn(tenant, { turns: 1, inMs: turnMs / speed, isLapsed: world.is_lapsed });
}
