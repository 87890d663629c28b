// The SQL that sets which rows a transaction can see, and who changes them.
import { firstOf, type Queryable, type Transaction, type TransactionOptions } from '../../kit/db/db.ts';
import { bindItems, type ItemStatement } from '../../kit/db/item-statement-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { ReadDatabase } from './plane.ts';
import type { Tenant, TenantTransaction } from './store.ts';

/** The wait for a locked row. It is short in a shared transaction, because all its parts would wait. */
const LOCK_TIMEOUT = '100ms';

/** Shows the rows of these apps until the transaction ends, and limits the wait for locks. */
export function sharedTenantSetting(appIds: readonly string[]): Sql {
  const apps = `{${[...new Set(appIds)].join(',')}}`;
  return sql`select set_config('slipway.app_ids', ${apps}, true), set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
}

/** Shows the rows of the app until the transaction ends. */
export const tenantSetting = (appId: string): Sql => sql`select set_config('slipway.app_id', ${appId}, true)`;

export function openTenant(tx: Transaction, appId: string): TenantTransaction {
  tx.send(tenantSetting(appId));
  const { query, send } = tx;
  const sendEach = <Item extends object>(statement: ItemStatement<Item, unknown>, items: readonly Item[]): void =>
    send(
      bindItems(
        statement,
        items.map((item) => ({ appId, item })),
      ),
    );
  const queuedEndpoints = new Set<string>();
  return { ...tx, ...createTenant(appId, query), queuedEndpoints, sendEach };
}

/** Returns the tenant of a transaction that serves only this app. */
export function createTenant(appId: string, query: Queryable['query']): Tenant {
  const each: Tenant['each'] = (statement, item) => query(bindItems(statement, [{ appId, item }]));
  return { appId, isShared: false, query, first: firstOf(query), each };
}

/** Runs one transaction that sees the rows of one app only. */
export function runAsTenant<T>(
  db: ReadDatabase,
  appId: string,
  run: (tenant: TenantTransaction) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return db.transaction((tx) => run(openTenant(tx, appId)), options);
}

/** Runs each query in one round trip and a separate transaction. */
export function createTenantReader(db: ReadDatabase, appId: string): Tenant {
  return createTenant(appId, (statement) => db.together([tenantSetting(appId), statement]));
}

/** Shows the rows of the organisation until the transaction ends. */
export const organisationSetting = (organisationId: string): Sql =>
  sql`select set_config('slipway.organisation_id', ${organisationId}, true)`;

export function setOrganisation(tx: Transaction, organisationId: string): void {
  tx.send(organisationSetting(organisationId));
}

/** The member and the request of a change, which the history of grants records. */
export interface ChangeAuthor {
  actor: string;
  requestUuid: string;
}

export function setChangeAuthor(tx: Transaction, { actor, requestUuid }: ChangeAuthor): void {
  tx.send(
    sql`select set_config('slipway.actor', ${actor}, true), set_config('slipway.request_id', ${requestUuid}, true)`,
  );
}
