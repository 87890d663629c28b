// Captures of the sandbox's requests, as the operator allows them. Production has no such code.
import type { Plane } from '../access/authority/index.ts';
import type { CaptureSettings } from '../config/config-retention.ts';
import {
  type BudgetLimits,
  type CaptureQueue,
  collectSensitiveNames,
  createCaptureQueue,
  createCaptures,
} from '../inspector/captures/index.ts';
import { monotonicMs } from '../kit/flow/clock.ts';
import type { Log } from '../kit/telemetry/log.ts';
import { publicOperations } from '../listeners/sandbox-api.ts';
import type { OpenPlane } from './plane.ts';

export interface SandboxCaptures {
  /** Undefined if the operator forbids captures. */
  queue: CaptureQueue | undefined;
  port: Plane['captures'];
}

type CaptureTarget = Pick<OpenPlane, 'records'> & { plane: Pick<Plane, 'environment' | 'secrets'> };

export function openCaptures(
  { records, plane }: CaptureTarget,
  { isAllowed, retentionHours }: CaptureSettings,
  onError: (error: unknown) => void,
  budget?: BudgetLimits,
): SandboxCaptures {
  if (plane.environment !== 'sandbox') throw new Error('Headers and bodies are captured in the sandbox alone.');
  if (!isAllowed) return { queue: undefined, port: undefined };
  const { masterKeys } = plane.secrets;
  const sensitiveNames = collectSensitiveNames(publicOperations);
  return {
    queue: createCaptureQueue({ db: records, masterKeys, retentionHours, sensitiveNames, budget, onError }),
    port: createCaptures({ masterKeys, retentionHours }),
  };
}

const LOG_EVERY_MS = 60_000;

/** Returns the handler of captures that could not be stored. It logs at most one message a minute. */
export function captureErrors(log: Log): (error: unknown) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (monotonicMs() - lastMs < LOG_EVERY_MS) return;
    lastMs = monotonicMs();
    log.error(
      'capture.lost: Headers and bodies of requests could not be stored.',
      error instanceof Error ? error.message : error,
    );
  };
}
