// The SQL of whose rows a transaction may see, and who changes them.
import type { Queryable, Transaction } from '../../kit/db/db.ts';
import { type Each, forRows } from '../../kit/db/each-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { Tenant, TenantTransaction } from './store.ts';

/** For a row that somebody holds: in a transaction that is shared nobody waits for long, because all would. */
const LOCK_PATIENCE = '100ms';

/** Until the transaction ends: these apps' rows are there, and no lock is waited for. */
export function sharedSetting(appIds: readonly string[]): Sql {
  const apps = `{${[...new Set(appIds)].join(',')}}`;
  return sql`select set_config('slipway.app_ids', ${apps}, true), set_config('lock_timeout', ${LOCK_PATIENCE}, true)`;
}

/** Until the transaction ends. */
export const tenantSetting = (appId: string): Sql => sql`select set_config('slipway.app_id', ${appId}, true)`;

export function openTenant(tx: Transaction, appId: string): TenantTransaction {
  tx.send(tenantSetting(appId));
  const { query, send, sendLast, withCommit, afterCommit } = tx;
  const sendEach = <Item extends object>(statement: Each<Item, never>, items: readonly Item[]): void =>
    send(
      forRows(
        statement,
        items.map((item) => ({ appId, item })),
      ),
    );
  const queuedEndpoints = new Set<string>();
  return { ...aloneIn(appId, query), queuedEndpoints, send, sendLast, withCommit, afterCommit, sendEach };
}

/** Of a transaction in which nobody else is. */
export function aloneIn(appId: string, query: Queryable['query']): Tenant {
  const each: Tenant['each'] = (statement, item) => query(forRows(statement, [{ appId, item }]));
  return { appId, isShared: false, query, each };
}

export function setOrganisation(tx: Transaction, organisationId: string): void {
  tx.send(sql`select set_config('slipway.organisation_id', ${organisationId}, true)`);
}

/** Who asks for a change, and by which request: the history of grants tells it. */
export interface Changer {
  actor: string;
  requestUuid: string;
}

export function setChanger(tx: Transaction, { actor, requestUuid }: Changer): void {
  tx.send(
    sql`select set_config('slipway.actor', ${actor}, true), set_config('slipway.request_id', ${requestUuid}, true)`,
  );
}
