// The contract under which the data of a plane was written. Only the owner of the database reads and writes it.
import type pg from 'pg';
import { withConnection } from '../../kit/db/db.ts';
import type { ContractSnapshot } from './contract-comparison.ts';

export interface StoredContract {
  name: string;
  hash: string;
  document: ContractSnapshot;
}

/** The decision about the stored contract: the contract to store, or a reason for which the process does not start. */
export type ContractDecision = {
  store?: StoredContract & { scopes: readonly string[]; writableKinds: readonly string[] };
  refusal?: string;
};

// An advisory lock: processes that start at the same time decide in turn. The number is arbitrary.
const LOCK_KEY = 7547_0002;

/**
 * Reads the stored contract and, unless `isReadOnly`, stores the contract of the decision, in one transaction. Resolves
 * to the decision.
 */
export function decideContract(
  databaseUrl: string,
  decide: (stored: StoredContract | undefined, hasApps: boolean) => ContractDecision,
  { isReadOnly }: { isReadOnly: boolean },
): Promise<ContractDecision> {
  return withConnection({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 }, async (client) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const stored = await client.query<StoredContract>('select name, hash, document from plane_contract');
    const apps = await client.query<{ has_apps: boolean }>('select exists (select from apps) as has_apps');
    const decision = decide(stored.rows[0], apps.rows[0]?.has_apps ?? false);
    if (decision.store && !isReadOnly) {
      const { name, hash, document, scopes, writableKinds } = decision.store;
      await client.query(
        `insert into plane_contract (name, hash, document) values ($1, $2, $3)
         on conflict (is_only) do update set name = excluded.name, hash = excluded.hash, document = excluded.document,
           stored_at = clock_timestamp()`,
        [name, hash, JSON.stringify(document)],
      );
      await client.query('select approve_scopes($1)', [scopes]);
      await makeWritable(client, writableKinds);
    }
    await client.query('commit');
    return decision;
  });
}

/** Lets requests change existing objects of these kinds, because the stored contract may have had no such operation. */
async function makeWritable(client: pg.Client, kinds: readonly string[]): Promise<void> {
  const apps = await client.query<{ app_id: string }>(
    'select distinct app_id from objects where kind = any($1) and not is_writable',
    [kinds],
  );
  for (const { app_id: appId } of apps.rows) {
    await client.query("select set_config('slipway.app_id', $1, true)", [appId]);
    await client.query(
      'update objects set is_writable = true where app_id = $1 and kind = any($2) and not is_writable',
      [appId, kinds],
    );
  }
  await client.query("select set_config('slipway.app_id', '', true)");
}
