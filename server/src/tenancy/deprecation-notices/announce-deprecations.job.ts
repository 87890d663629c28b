// Writes a notice for each app that uses a deprecated part of the API: at the announcement, and 90, 30 and 7 days before
// the end. Several workers may run the job concurrently, and a repeated run is safe: the transaction that writes the notice
// first inserts the row of the stage.
import { toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { runEach } from '../../kit/flow/run-each.ts';
import { announcedMs, type Deprecation, endsMs } from '../../kit/http/deprecation.ts';
import { ALL_DEPRECATIONS, findUse } from '../../platform/deprecations/index.ts';
import { insertNotice } from '../../platform/notices/index.ts';
import { type AppToNotify, insertStage, listAppsToNotify, type Stage } from './store.ts';

/** A stage lasts for days, and each run examines every app. */
const RUN_EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** The days before the end on which a notice is repeated, the latest first. */
const STAGES = [7, 30, 90] as const;
const NAMED = 5;
const FIRST_APP = '00000000-0000-0000-0000-000000000000';

export function startDeprecationNotices(
  worker: Database,
  nowMs: () => number,
  onError: (error: unknown) => void,
): Loop {
  return startLoop(() => announceDeprecations(worker, ALL_DEPRECATIONS, nowMs(), onError), RUN_EVERY_MS, onError);
}

/**
 * Announces the deprecations. An app for which a notice fails delays no other. A stage that was missed while no worker ran
 * is not announced later.
 */
export async function announceDeprecations(
  worker: Database,
  deprecations: readonly Deprecation[],
  nowMs: number,
  onError: (error: unknown) => void,
): Promise<void> {
  for (const deprecation of deprecations) {
    if (nowMs < announcedMs(deprecation) || nowMs >= endsMs(deprecation)) continue;
    const stage = stageAt(deprecation, nowMs);
    let after: string | null = FIRST_APP;
    while (after !== null) {
      const page: Awaited<ReturnType<typeof listAppsToNotify>> = await listAppsToNotify(
        worker,
        deprecation,
        stage,
        nowMs,
        after,
      );
      await runEach('deprecation notice', page.apps, (app) => announce(worker, deprecation, stage, app), onError);
      after = page.reached;
    }
  }
}

/** Returns the days before the end of the stage that has begun; 0 for the announcement. */
const stageAt = (deprecation: Deprecation, nowMs: number): Stage =>
  STAGES.find((days) => endsMs(deprecation) - nowMs <= days * DAY_MS) ?? 0;

async function announce(worker: Database, deprecation: Deprecation, stage: Stage, app: AppToNotify): Promise<void> {
  await worker.transaction(async (tx) => {
    if (!(await insertStage(tx, app.app_id, deprecation.id, stage))) return;
    const use = await findUse(tx, app.app_id, deprecation);
    const { id, title, replacement, ends } = deprecation;
    await insertNotice(tx, app, {
      kind: 'deprecation_announced',
      deprecation: {
        ...{ id, title, replacement, ends },
        daysAhead: stage === 0 ? null : stage,
        requests: use.uses,
        requestIds: use.newest_request_ids.slice(0, NAMED).map((one) => toId('req', one)),
        endpoints: use.endpoints,
        endpointIds: use.endpoint_ids.slice(0, NAMED).map((one) => toId('whe', one)),
      },
    });
  });
}
