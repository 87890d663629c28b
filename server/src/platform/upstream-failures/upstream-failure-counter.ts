// Counts failures of the upstream API for operators, and notifies the apps that received an invalid response.

import { toUuid } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { createAggregator } from '../../kit/flow/aggregator.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { insertNotice } from '../notices/index.ts';
import { type AppUpstreamFailure, addFailures, listKeysToNotify, type UpstreamFailureCount } from './store.ts';
import type { UpstreamFailureKind } from './upstream-failure.ts';

export interface ReportedUpstreamFailure {
  operationId: string;
  kind: UpstreamFailureKind;
  requestId: string;
  /** The status of the upstream API's response; null without one. */
  status: number | null;
  /** The app that received the failure. */
  appId: string;
  keyId: string;
  /** True if the upstream API gave an invalid response, and was not merely unreachable or late. */
  isViolation: boolean;
}

interface UpstreamFailureCounter {
  count(failure: ReportedUpstreamFailure): void;
  /** Writes the counts so far. Never rejects. */
  flush(): Promise<void>;
}

const HOUR_CHARACTERS = 'yyyy-mm-ddThh'.length;

export function createUpstreamFailureCounter(
  worker: Database,
  onError: (error: unknown) => void,
): UpstreamFailureCounter {
  const counted = createAggregator<UpstreamFailureCount>({
    merge: (one, other) => ({ ...(one.lastAt > other.lastAt ? one : other), count: one.count + other.count }),
    write: (failures) => addFailures(worker, failures),
    onError,
  });
  const met = createAggregator<AppUpstreamFailure>({
    merge: (one) => one,
    write: (failures) => notifyApps(worker, failures),
    onError,
  });
  return {
    count({ operationId, kind, status, appId, keyId, isViolation, ...failure }) {
      const lastAt = new Date(nowMs()).toISOString();
      const requestId = toUuid('req', failure.requestId);
      counted.add(`${lastAt.slice(0, HOUR_CHARACTERS)} ${operationId}`, {
        operationId,
        kind,
        count: 1,
        lastAt,
        requestId,
        status,
      });
      if (isViolation) met.add(appId, { appId, keyId, operationId, requestId });
    },
    flush: async () => void (await Promise.all([counted.flush(), met.flush()])),
  };
}

async function notifyApps(worker: Database, failures: readonly AppUpstreamFailure[]): Promise<void> {
  const byApp = new Map(failures.map((failure) => [failure.appId, failure]));
  for (const key of await listKeysToNotify(worker, failures)) {
    const { operationId, requestId } = byApp.get(key.app_id) ?? { operationId: '', requestId: '' };
    await insertNotice(worker, key, { kind: 'platform_failing', operationId, requestId });
  }
}
