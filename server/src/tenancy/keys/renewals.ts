// Puts keys that were seen under an earlier pepper under the current one, some seconds after the request.

import { asTenant, type Renewal } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { gather } from '../../kit/flow/gather.ts';
import { renewVerifier } from './pepper-store.ts';

export interface Renewals {
  note(renewal: Renewal): void;
  /** Writes what is noted so far. Never rejects: what cannot be written now is kept for the next time. */
  flush(): Promise<void>;
}

/** `db` plays slipway_manager, who makes keys. One key at a time: a transaction that held many would make revokes wait. */
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
