// The SQL that sets which rows a transaction can see, and who changes them.
import type { Queryable, Transaction } from '../../kit/db/db.ts';
import { type Each, forRows } from '../../kit/db/each-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { Tenant, TenantTransaction } from './store.ts';

/** The wait for a locked row. It is short in a shared transaction, because all its members would wait. */
const LOCK_PATIENCE = '100ms';

/** Shows the rows of these apps until the transaction ends, and limits the wait for locks. */
export function sharedSetting(appIds: readonly string[]): Sql {
  const apps = `{${[...new Set(appIds)].join(',')}}`;
  return sql`select set_config('slipway.app_ids', ${apps}, true), set_config('lock_timeout', ${LOCK_PATIENCE}, true)`;
}

/** Shows the rows of the app until the transaction ends. */
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

/** Returns the tenant of a transaction that serves only this app. */
export function aloneIn(appId: string, query: Queryable['query']): Tenant {
  const each: Tenant['each'] = (statement, item) => query(forRows(statement, [{ appId, item }]));
  return { appId, isShared: false, query, each };
}

export function setOrganisation(tx: Transaction, organisationId: string): void {
  tx.send(sql`select set_config('slipway.organisation_id', ${organisationId}, true)`);
}

/** The member and the request of a change, which the history of grants records. */
export interface Changer {
  actor: string;
  requestUuid: string;
}

export function setChanger(tx: Transaction, { actor, requestUuid }: Changer): void {
  tx.send(
    sql`select set_config('slipway.actor', ${actor}, true), set_config('slipway.request_id', ${requestUuid}, true)`,
  );
}
