// Moves keys under an earlier pepper to the current pepper, some seconds after the request that used them.

import { runAsTenant, type VerifierRenewal } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { createAggregator } from '../../kit/flow/aggregator.ts';
import { renewVerifier } from './pepper-store.ts';

interface VerifierRenewalRecorder {
  record(renewal: VerifierRenewal): void;
  /** Writes the buffered verifiers. Never rejects: verifiers that cannot be written are kept for the next flush. */
  flush(): Promise<void>;
}

/**
 * Creates the buffer. `db` connects as slipway_manager, the role that creates keys. Each key has its own transaction: a
 * transaction with many keys would delay revocations.
 */
export function createVerifierRenewalRecorder(
  db: Database,
  onError: (error: unknown) => void,
): VerifierRenewalRecorder {
  const noted = createAggregator<VerifierRenewal>({
    merge: (one) => one,
    async write(renewals) {
      for (const renewal of renewals) await runAsTenant(db, renewal.appId, (tenant) => renewVerifier(tenant, renewal));
    },
    onError,
  });
  return { record: (renewal) => noted.add(renewal.keyId, renewal), flush: noted.flush };
}
