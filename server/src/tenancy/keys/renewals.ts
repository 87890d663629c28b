// Moves keys under an earlier pepper to the current pepper, some seconds after the request that used them.

import { asTenant, type Renewal } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { gather } from '../../kit/flow/gather.ts';
import { renewVerifier } from './pepper-store.ts';

export interface Renewals {
  note(renewal: Renewal): void;
  /** Writes the buffered verifiers. Never rejects: verifiers that cannot be written are kept for the next flush. */
  flush(): Promise<void>;
}

/**
 * Creates the buffer. `db` connects as slipway_manager, the role that creates keys. Each key has its own transaction: a
 * transaction with many keys would delay revocations.
 */
export function createRenewals(db: Database, onError: (error: unknown) => void): Renewals {
  const noted = gather<Renewal>({
    merge: (one) => one,
    async write(renewals) {
      for (const renewal of renewals) await asTenant(db, renewal.appId, (tenant) => renewVerifier(tenant, renewal));
    },
    onError,
  });
  return { note: (renewal) => noted.add(renewal.keyId, renewal), flush: noted.flush };
}
