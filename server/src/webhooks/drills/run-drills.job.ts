// Runs drills from their first open step to the end. Another worker continues the drill of a dead worker with the step
// that was not saved.
import { type Database, isUnavailable } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { traceJob } from '../../kit/telemetry/trace.ts';
import type { StoredDrillStep } from './drill.ts';
import { findStepPlan } from './drill-steps.ts';
import { evaluateStep } from './evaluate-step.ts';
import { type ProbeSender, runStep } from './run-step.ts';
import { type ClaimedDrill, claimDrills, saveDrill } from './store.ts';

interface DrillTools {
  /** Database pool of the role slipway_worker. */
  db: Database;
  environment: string;
  /** Sends through the dispatcher: under its pre-send check, and stopped by the same stops as deliveries. */
  send: ProbeSender;
  onError(error: unknown): void;
}

const LOOK_EVERY_MS = 250;
const MAX_CONCURRENT = 32;
/** Milliseconds, longer than any step: it has at most four messages, and only the last may get no response. */
const CLAIMED_FOR_MS = 120_000;
const AGAIN_AFTER_MS = 500;

export function startDrills(tools: DrillTools): Loop {
  const running = new Set<Promise<void>>();
  const claiming = startLoop(
    async () => {
      const room = MAX_CONCURRENT - running.size;
      const claimed = room > 0 ? await claimDrills(tools.db, room, CLAIMED_FOR_MS) : [];
      for (const drill of claimed) {
        const run: Promise<void> = traceJob('receiver drill', () => runDrill(drill, tools)).finally(() =>
          running.delete(run),
        );
        running.add(run);
      }
    },
    LOOK_EVERY_MS,
    tools.onError,
  );
  return {
    wake: claiming.wake,
    async stop() {
      await claiming.stop();
      await Promise.all(running);
    },
  };
}

/** Runs the open steps of a drill. Never rejects. */
async function runDrill(drill: ClaimedDrill, tools: DrillTools): Promise<void> {
  try {
    while (await runOpenStep(drill, tools));
  } catch (error) {
    tools.onError(error);
    // Without a database, the drill continues when its claim has expired. Any other error would happen again.
    if (isUnavailable(error)) return;
    await saveDrill(tools.db, drill, { status: 'stopped', reason: 'internal_error' }).catch(tools.onError);
  }
}

/** Runs and saves a step. Returns false if this worker has nothing more to do for the drill. */
async function runOpenStep(drill: ClaimedDrill, tools: DrillTools): Promise<boolean> {
  const at = drill.steps.findIndex((step) => step.verdict === null);
  const step = drill.steps[at];
  if (!step) return false;
  const plan = findStepPlan(step.name);
  // A newer version created a step that this version does not know.
  if (!plan) return saveStep(drill, at, { ...step, verdict: 'not_sent' }, tools);
  const { app_id: appId, drill_id: drillId, endpoint_id: endpointId } = drill;
  const result = await runStep({ appId, drillId, endpointId, environment: tools.environment }, plan, tools.send);
  switch (result.kind) {
    case 'taken':
      return saveStep(drill, at, { ...step, ...evaluateStep(plan, result.requests), requests: result.requests }, tools);
    case 'refused':
      await saveDrill(tools.db, drill, { status: 'stopped', reason: result.reason });
      return false;
    case 'unsent':
      await saveDrill(tools.db, drill, { forMs: AGAIN_AFTER_MS });
      return false;
  }
}

async function saveStep(
  drill: ClaimedDrill,
  at: number,
  judged: StoredDrillStep,
  { db }: DrillTools,
): Promise<boolean> {
  drill.steps[at] = judged;
  // A receiver that refuses a correct message refuses every message, so later steps would prove nothing.
  if (judged.name === 'correct' && judged.verdict === 'failed') {
    for (const rest of drill.steps) rest.verdict ??= 'not_sent';
  }
  const isOver = drill.steps.every((step) => step.verdict !== null);
  const next = isOver ? ({ status: 'completed', reason: null } as const) : { forMs: CLAIMED_FOR_MS };
  return (await saveDrill(db, drill, next)) && !isOver;
}
