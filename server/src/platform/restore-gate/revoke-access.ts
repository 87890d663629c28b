// Removes all access after a restore without a journal. Each batch is one transaction with its audit entry. Completed
// batches stay committed, and a second run continues with the rest.

import { openTenant, setChangeAuthor, setOrganisation, unitOfWork } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import {
  type ConsoleAccessCounts,
  listAppsWithAccess,
  listOrganisationIds,
  type OrganisationOwner,
  type PlaneAccessCounts,
} from './reopen-store.ts';
import {
  type AccessTable,
  cancelRemovals,
  deleteAccess,
  type OrganisationAccess,
  revokeAppAccess,
  revokeOrganisationAccess,
} from './revoke-access-store.ts';

/** The name of the command in audit logs and histories of grants. */
export const REOPENED_BY = 'slipway-server reopen';

const OPERATOR = { kind: 'operator', id: null, name: REOPENED_BY } as const;
const PAGE = 100;
const ROWS = 500;

/** Adds counts field by field. */
function add<Counts extends object>(sum: Counts, more: Partial<Counts>): Counts {
  const total: Record<string, number> = { ...(sum as Record<string, number>) }; // both contain only numbers
  for (const [name, count] of Object.entries(more)) total[name] = (total[name] ?? 0) + Number(count);
  return total as Counts;
}

const isNothing = (counts: object): boolean => Object.values(counts).every((count) => count === 0);

/**
 * Removes all access of a plane. `owner` is the login role, which sees every app; `manager` changes one app at a time.
 */
export async function revokePlaneAccess(owner: Database, manager: Database): Promise<PlaneAccessCounts> {
  let sum: PlaneAccessCounts = { keys: 0, servers: 0, scopes: 0, rules: 0 };
  let after: string | undefined;
  for (;;) {
    const apps = await listAppsWithAccess(owner, after, PAGE);
    if (apps.length === 0) return sum;
    for (const { app_id, organisation_id } of apps) {
      let counts: PlaneAccessCounts;
      do {
        counts = await revokeAppBatch(manager, organisation_id, app_id);
        sum = add(sum, counts);
      } while (!isNothing(counts));
      after = app_id;
    }
  }
}

function revokeAppBatch(manager: Database, organisationId: string, appId: string): Promise<PlaneAccessCounts> {
  return unitOfWork(manager, { organisationId, appId, actor: OPERATOR }, async ({ tx, audit }) => {
    setOrganisation(tx, organisationId);
    setChangeAuthor(tx, { actor: REOPENED_BY, requestUuid: newUuid() });
    const counts = await revokeAppAccess(openTenant(tx, appId), REOPENED_BY, ROWS);
    if (!isNothing(counts)) audit('restore.take_access', toId('app', appId), { ...counts });
    return counts;
  });
}

const COUNT_BY_TABLE: Record<AccessTable, keyof ConsoleAccessCounts> = {
  sessions: 'sessions',
  mailedLinks: 'links',
  verifications: 'links',
  deviceSignIns: 'links',
  providerSignIns: 'links',
  providerLinks: 'providerLinks',
  legacyProviderLinks: 'providerLinks',
  operators: 'operators',
};

/** Removes all access of the Console. `owners` names the members who are owners; every other member is suspended. */
export async function revokeConsoleAccess(
  db: Database,
  owners: readonly OrganisationOwner[],
): Promise<ConsoleAccessCounts> {
  let sum: ConsoleAccessCounts = {
    sessions: 0,
    tokens: 0,
    links: 0,
    providerLinks: 0,
    invitations: 0,
    members: 0,
    owners: 0,
    removals: 0,
    operators: 0,
  };
  for (const table of Object.keys(COUNT_BY_TABLE) as AccessTable[]) {
    // Object.keys loses the literal types
    sum = add(sum, { [COUNT_BY_TABLE[table]]: await repeat(() => deleteAccess(db, table, ROWS)) });
  }
  sum = add(sum, { removals: await repeat(() => cancelRemovals(db, ROWS)) });
  const named = new Map<string, string[]>();
  for (const { organisationId, email } of owners)
    named.set(organisationId, [...(named.get(organisationId) ?? []), email]);
  for await (const organisationId of eachOrganisation(db)) {
    let revokedAccess: OrganisationAccess;
    do {
      revokedAccess = await revokeOrganisationBatch(db, organisationId, named.get(organisationId) ?? []);
      const { named: _, ...counts } = revokedAccess;
      sum = add(sum, counts);
    } while (!isNothing(revokedAccess));
  }
  return sum;
}

/** Repeats a bounded step until it changes nothing; returns how much it changed in all. */
async function repeat(step: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const changed = await step();
    if (changed === 0) return sum;
    sum += changed;
  }
}

function revokeOrganisationBatch(db: Database, organisationId: string, owners: readonly string[]) {
  return unitOfWork(db, { organisationId, actor: OPERATOR }, async ({ tx, audit }) => {
    const revokedAccess = await revokeOrganisationAccess(tx, organisationId, owners, ROWS);
    if (!isNothing(revokedAccess)) audit('restore.suspend_members', toId('org', organisationId), { ...revokedAccess });
    return revokedAccess;
  });
}

/** Yields every organisation of the Console, in the order of their ids. */
export async function* eachOrganisation(db: Database): AsyncGenerator<string> {
  let page: string[] = [];
  do {
    page = await listOrganisationIds(db, page.at(-1), PAGE);
    yield* page;
  } while (page.length > 0);
}
