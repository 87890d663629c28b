// The export of an organisation, line by line. It holds one page of one list at a time, and no transaction between
// pages. It contains no secrets: keys and endpoints have the fields of their lists.

import { type Actor, type Environment, isActionAllowed } from '../../access/authority/index.ts';
import { listMemberRows, toMember } from '../../identity/organisations/index.ts';
import { type ConsoleServices, findMembership, findPeople } from '../../identity/sessions/index.ts';
import { type ChainPage, type ChainSource, databaseSource, exportLines } from '../../inspector/audit-log/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { readRequests } from '../live-access/index.ts';

interface ExportSource {
  services: Pick<ConsoleServices, 'db' | 'askPlanes' | 'environments'>;
  actor: Actor;
  name: string;
}

const PAGE = 100;

/** Yields the lines. The last line says that the export is complete; an interrupted export lacks it. */
export async function* organisationLines(source: ExportSource): AsyncGenerator<string> {
  const { services, actor, name } = source;
  const { organisationId } = actor;
  yield line({ kind: 'organisation', id: toId('org', organisationId), name });
  yield* memberLines(source);
  yield* liveAccessLines(source);
  yield* auditLines(consoleChain(source));
  for (const { name: environment } of services.environments) yield* environmentLines(source, environment);
  yield line({ kind: 'end' });
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Checks the member's access again for each page, because a slow reader keeps an export open for long. */
async function requireRight({ services, actor: { organisationId, personId } }: ExportSource): Promise<void> {
  const now = await findMembership(services.db, organisationId, personId);
  const may = now && now.suspended_reason === null && isActionAllowed(now.role, 'organisation.export');
  if (!may) throw problem('not_found');
}

async function* memberLines(source: ExportSource): AsyncGenerator<string> {
  const { services, actor } = source;
  for (let after: string | undefined, isMore = true; isMore; ) {
    await requireRight(source);
    const rows = await listMemberRows(services.db, actor.organisationId, after, PAGE);
    const ids = rows.map((row) => row.person_id);
    const people = await findPeople(services.db, ids);
    for (const row of rows) yield line({ kind: 'member', ...toMember(row, people.get(row.person_id)) });
    after = rows.at(-1)?.member_id;
    isMore = rows.length === PAGE;
  }
}

async function* liveAccessLines(source: ExportSource): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    await requireRight(source);
    const { requests, last } = await readRequests(source.services.db, source.actor.organisationId, after, PAGE);
    for (const one of requests) yield line({ kind: 'live_access_request', ...one });
    after = last;
  } while (after !== undefined);
}

function consoleChain(source: ExportSource): ChainSource {
  const chain = databaseSource(source.services.db, 'console', source.actor.organisationId);
  return {
    ...chain,
    async read(range) {
      await requireRight(source);
      return chain.read(range);
    },
  };
}

/** Yields audit entries. `jq -c 'select(.kind == "audit").entry'` extracts the lines that `audit-verify` reads. */
async function* auditLines(source: ChainSource): AsyncGenerator<string> {
  for await (const entry of exportLines(source)) yield `{"kind":"audit","entry":${entry}}\n`;
}

async function* environmentLines(source: ExportSource, environment: Environment): AsyncGenerator<string> {
  const { organisationId } = source.actor;
  for await (const app of listAll<{ id: string }>(source, environment, 'apps')) {
    yield line({ kind: 'app', ...app });
    for (const [list, kind] of Object.entries(APP_LISTS)) {
      for await (const one of listAll(source, environment, `apps/${app.id}/${list}`)) {
        yield line({ kind, environment, appId: app.id, ...one });
      }
    }
  }
  const read: ChainSource['read'] = ({ after, limit }) =>
    readFromPlane<ChainPage>(source, environment, `audit-entries?after=${after ?? 0}&limit=${limit}`);
  yield* auditLines({ chain: environment, organisationId, read });
}

const APP_LISTS = { keys: 'key', installations: 'installation', endpoints: 'endpoint' };

interface ListPage<T> {
  data: T[];
  nextCursor: string | null;
}

async function* listAll<T extends object>(
  source: ExportSource,
  environment: Environment,
  list: string,
): AsyncGenerator<T> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: ListPage<T> = await readFromPlane<ListPage<T>>(source, environment, `${list}?limit=${PAGE}${from}`);
    yield* page.data;
    cursor = page.nextCursor;
  }
}

/** Returns the response of a plane's list. An app that was erased meanwhile has no rows. */
async function readFromPlane<T>(source: ExportSource, environment: Environment, path: string): Promise<T> {
  const { services, actor } = source;
  await requireRight(source);
  const organisation = `/organisations/${toId('org', actor.organisationId)}`;
  const call = { method: 'GET', path: `${organisation}/${path}`, body: undefined, environment } as const;
  const [answer] = await services.askPlanes(actor, call);
  if (answer?.status === 404) return JSON.parse('{"data":[],"nextCursor":null,"head":null}');
  if (answer?.status !== 200) throw problem('unavailable');
  return JSON.parse(answer.body);
}

/**
 * Throws if an environment cannot be reached, before the export begins, so that it does not break off in the middle.
 */
export async function requirePlanes(source: ExportSource): Promise<void> {
  for (const { name } of source.services.environments) await readFromPlane(source, name, 'apps?limit=1');
}
