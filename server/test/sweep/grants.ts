// The states of grants in the sweep, and servers in each of them, with an object of each kind.
import { newUuid, toId } from '../../src/kit/crypto/ids.ts';
import { type Rename, type Row, type RowCopier, renameIds, uuidOf } from './copied-rows.ts';
import { GRANTS, type Grants, SCOPES, type SweepGrant, type SweepScope } from './model.ts';

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
export type ServerObjectIds = Readonly<
  Record<
    'serverId' | 'publicationId' | 'roadmapItemId' | 'ticketId' | 'workflowId' | 'workflowRunId' | 'eventId' | 'pingId',
    string
  >
>;
export interface SweptServer {
  ids: ServerObjectIds;
  grants: Grants;
}

const TABLES: Record<keyof ServerObjectIds, string> = {
  serverId: 'servers',
  publicationId: 'publications',
  roadmapItemId: 'roadmap_items',
  ticketId: 'tickets',
  workflowId: 'workflows',
  workflowRunId: 'workflow_runs',
  eventId: 'events',
  pingId: 'events',
};
const COLUMNS: Record<string, string> = {
  servers: 'server_id',
  publications: 'publication_id',
  roadmap_items: 'roadmap_item_id',
  tickets: 'ticket_id',
  workflows: 'workflow_id',
  workflow_runs: 'workflow_run_id',
  events: 'event_id',
};

export interface Template {
  app: string;
  ids: ServerObjectIds;
  rows: Record<string, Row[]>;
}

/** Returns the rows to copy: one of each kind, of a server with an installation of the app. */
export async function readTemplate(db: RowCopier, appId: string, ids: ServerObjectIds): Promise<Template> {
  const app_id = uuidOf(appId);
  const rows: Record<string, Row[]> = {};
  for (const [name, table] of Object.entries(TABLES)) {
    const uuid = uuidOf(ids[name as keyof ServerObjectIds]); // Object.entries loses the literal types
    const row = await db.rowOf(table, { app_id, [COLUMNS[table] ?? '']: uuid });
    rows[table] = [...(rows[table] ?? []), row];
  }
  rows.ticket_numbers = [await db.rowOf('ticket_numbers', { app_id, server_id: uuidOf(ids.serverId) })];
  const installation = await db.rowOf('installations', { app_id, server_id: uuidOf(ids.serverId) });
  const installation_id = String(installation.installation_id);
  rows.installations = [installation];
  rows.installation_scopes = [await db.rowOf('installation_scopes', { app_id, installation_id })];
  return { app: appId, ids, rows };
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
    const names = Object.entries(template.ids).map(([name, id]): Rename & { name: string } => {
      return { name, prefix: id.split('_')[0] ?? '', from: uuidOf(id), to: newUuid() };
    });
    const copies = renameIds(template.rows, [
      ...names,
      { prefix: 'app', from: uuidOf(template.app), to: uuidOf(appId) },
    ]);
    Object.assign(copies, grantRows(copies, grants, at % 2 === 1));
    for (const [table, some] of Object.entries(copies)) rows[table] = [...(rows[table] ?? []), ...some];
    const ids = Object.fromEntries(names.map(({ name, prefix, to }) => [name, toId(prefix, to)])) as ServerObjectIds;
    return { ids, grants };
  });
  for (const [table, some] of Object.entries(rows)) await db.insert(table, some);
  return servers;
}

function grantRows(copies: Record<string, Row[]>, { installation, scopes }: Grants, isSecond: boolean) {
  const [whole, part] = [copies.installations?.[0], copies.installation_scopes?.[0]];
  if (installation === 'absent') return { installations: [], installation_scopes: [] };
  const installations: Row[] = [];
  const parts: Row[] = [];
  const grant = (installation_id: string, scope: SweepScope, state: SweepGrant): void => {
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
