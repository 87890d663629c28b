// The states of grants in the sweep, and servers in each of them, with an object of each kind.
import { newUuid, toId } from '../../src/kit/crypto/ids.ts';
import { newNumber, type Row, type RowCopier, renameIds, uuidOf } from './copied-rows.ts';
import { GRANTS, type Grants, type SweepGrant } from './model.ts';
import { swept } from './swept.ts';
import type { TemplateObject } from './swept-contract.ts';

const SCOPES = swept.scopes;

// Multiplication in GF(4). Addition of 0 to 3 is exclusive or.
const product = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : ((a - 1 + b - 1) % 3) + 1);

/**
 * Yields the hexacode: 64 words of six letters, in which any three places show every combination of their letters
 * exactly once. So each scope meets each state together with every pair of states of any two others.
 */
function* words(): Generator<number[]> {
  for (let word = 0; word < 64; word++) {
    const [a, b, c] = [word >> 4, (word >> 2) & 3, word & 3] as const;
    const at = (x: number): number => product(product(a, x), x) ^ product(b, x) ^ c;
    yield [a, b, c, at(1), at(2), at(3)];
  }
}

const toGrants = (installation: SweepGrant, word: readonly number[]): Grants => ({
  installation,
  scopes: Object.fromEntries(SCOPES.map((scope, at) => [scope, GRANTS[word[at] ?? 0]])) as Grants['scopes'],
});

export const NO_INSTALLATION = toGrants('absent', []);
export const grantsWith = (installation: SweepGrant, scope: SweepGrant): Grants =>
  toGrants(
    installation,
    SCOPES.map(() => GRANTS.indexOf(scope)),
  );

/** Every state of the installation with every word of states of its scopes. */
export const EVERY_GRANT: readonly Grants[] = [
  NO_INSTALLATION,
  ...GRANTS.slice(1).flatMap((installation) => [...words()].map((word) => toGrants(installation, word))),
];

/** One state per response to which a grant can lead. */
export const SOME_GRANTS: readonly Grants[] = [
  grantsWith('authorised', 'authorised'),
  grantsWith('authorised', 'paused'),
  grantsWith('authorised', 'revoked'),
  grantsWith('authorised', 'absent'),
  grantsWith('paused', 'authorised'),
  grantsWith('revoked', 'authorised'),
  NO_INSTALLATION,
];

/** Identifiers by the names of path parameters. */
export type ServerObjectIds = Readonly<Record<string, string>>;
export interface SweptServer {
  ids: ServerObjectIds;
  grants: Grants;
}

export interface Template {
  app: string;
  objects: readonly TemplateObject[];
  rows: Record<string, Row[]>;
}

/** Returns the rows to copy: one of each kind, of a server with an installation of the app. */
export async function readTemplate(
  db: RowCopier,
  appId: string,
  objects: readonly TemplateObject[],
): Promise<Template> {
  const app_id = uuidOf(appId);
  const server_id = objects.find(({ name }) => name === 'serverId')?.uuid ?? '';
  const rows: Record<string, Row[]> = {};
  for (const { uuid, table, column } of objects) {
    rows[table] = [...(rows[table] ?? []), await db.rowOf(table, { app_id, [column]: uuid })];
  }
  for (const table of swept.rowsOfServer) rows[table] = [await db.rowOf(table, { app_id, server_id })];
  return { app: appId, objects, rows: { ...rows, ...(await grantRowsOf(db, app_id, server_id)) } };
}

/** Returns a row of each table of grants for the server. */
async function grantRowsOf(db: RowCopier, app_id: string, server_id: string): Promise<Record<string, Row[]>> {
  const installation = await db.rowOf('installations', { app_id, server_id });
  const installation_id = String(installation.installation_id);
  const scope = await db.rowOf('installation_scopes', { app_id, installation_id });
  return { installations: [installation], installation_scopes: [scope] };
}

/**
 * Creates a server of the app per grant. Every second one has a history: an earlier, revoked installation, and an
 * earlier, revoked grant of each scope.
 */
export async function insertServers(
  db: RowCopier,
  template: Template,
  appId: string,
  wanted: readonly Grants[],
): Promise<SweptServer[]> {
  const rows: Record<string, Row[]> = {};
  const servers = wanted.map((grants, at) => {
    // A server and the object that grants its scopes can have one UUID.
    const uuids = new Map(template.objects.map(({ uuid }) => [uuid, newUuid()]));
    const names = template.objects.map(({ name, id, uuid }) => ({ name, from: id, to: copiedId(id, uuids.get(uuid)) }));
    const copies = renameIds(template.rows, [
      ...[...uuids].map(([from, to]) => ({ from, to })),
      ...names,
      { from: template.app, to: appId },
      { from: uuidOf(template.app), to: uuidOf(appId) },
    ]);
    Object.assign(copies, grantRows(copies, grants, at % 2 === 1));
    for (const [table, some] of Object.entries(copies)) rows[table] = [...(rows[table] ?? []), ...some];
    return { ids: Object.fromEntries(names.map(({ name, to }) => [name, to])), grants };
  });
  for (const [table, some] of Object.entries(rows)) await db.insert(table, some);
  return servers;
}

const copiedId = (id: string, uuid = ''): string =>
  /^\d+$/.test(id) ? newNumber() : toId(id.split('_')[0] ?? '', uuid);

/** Replaces the grants of a server by one that was granted once. */
export async function replaceGrants(db: RowCopier, appId: string, server_id: string, grants: Grants): Promise<void> {
  const app_id = uuidOf(appId);
  const before = await grantRowsOf(db, app_id, server_id);
  const installation_id = String(before.installations?.[0]?.installation_id);
  await db.remove('installation_scopes', { app_id, installation_id });
  await db.remove('installations', { app_id, installation_id });
  for (const [table, rows] of Object.entries(grantRows(before, grants, false))) await db.insert(table, rows);
}

function grantRows(copies: Record<string, Row[]>, { installation, scopes }: Grants, isSecond: boolean) {
  const [whole, part] = [copies.installations?.[0], copies.installation_scopes?.[0]];
  if (installation === 'absent') return { installations: [], installation_scopes: [] };
  const installations: Row[] = [];
  const parts: Row[] = [];
  const grant = (installation_id: string, scope: string, state: SweepGrant = 'absent'): void => {
    if (state !== 'absent') parts.push({ ...part, installation_id, grant_id: newUuid(), scope, state });
  };
  if (isSecond) {
    const earlier = newUuid();
    installations.push({ ...whole, installation_id: earlier, state: 'revoked' });
    for (const scope of SCOPES) grant(earlier, scope, 'authorised');
  }
  const present = newUuid();
  installations.push({ ...whole, installation_id: present, state: installation });
  for (const scope of SCOPES) {
    if (isSecond && scopes[scope] !== 'absent') grant(present, scope, 'revoked');
    grant(present, scope, scopes[scope]);
  }
  return { installations, installation_scopes: parts };
}
