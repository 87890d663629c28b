// The queries of the Request Inspector benchmark. They are sent as the Console's server does: over HTTP and one at a
// time.
import { signAssertion } from '../server/src/access/authority/index.ts';
import { toId } from '../server/src/kit/crypto/ids.ts';
import type { RecordedApp } from './many-records.ts';
import { BENCH_SECRETS } from './secrets.ts';

const DAY_MS = 86_400_000;

type Query = Record<string, string | number | boolean>;

export interface InspectorQuery {
  name: string;
  path?: 'request-groups' | 'request-histogram';
  isSummary?: boolean;
  /** Returns the query for an app in this turn. */
  query(app: RecordedApp, turn: number, sample: Sample): Query;
}

/** An existing request of the app. */
interface Sample {
  requestId: string;
  traceId: string;
}

const of = <T>(values: readonly T[], turn: number): T => values[turn % values.length] as T; // each app has some
const keyOf = ({ keys }: RecordedApp, turn: number): Query => ({ keyId: toId('key', of(keys, turn)) });
const serverOf = ({ servers }: RecordedApp, turn: number): Query => ({ serverId: toId('srv', of(servers, turn)) });
const first = (name: string, query: InspectorQuery['query']): InspectorQuery => ({
  name: `first page: ${name}`,
  query,
});
const two = (name: string, query: InspectorQuery['query']): InspectorQuery => ({
  name: `first page, two together: ${name}`,
  query,
});

export const INSPECTOR_QUERIES: readonly InspectorQuery[] = [
  first('all', () => ({})),
  first('key', keyOf),
  first('server', serverOf),
  first('status 404', () => ({ status: 404 })),
  first('status 500, which is rare', () => ({ status: 500 })),
  first('class 4xx', () => ({ statusClass: 4 })),
  first('problem code', () => ({ code: 'missing_scope' })),
  first('request id', (_app, _turn, { requestId }) => ({ requestId })),
  first('trace id', (_app, _turn, { traceId }) => ({ traceId })),
  first('operation', () => ({ operationId: 'listServersC' })),
  first('operation that is rarely called', () => ({ operationId: 'rareOperation' })),
  first('unused operation', () => ({ operationId: 'noOperation' })),
  first('simulated', () => ({ simulated: true })),
  first('one second and more', () => ({ minDurationMs: 1_000 })),
  first('ten seconds and more', () => ({ minDurationMs: 10_000 })),
  two('key and class 4xx', (app, turn) => ({ ...keyOf(app, turn), statusClass: 4 })),
  two('key and status 500', (app, turn) => ({ ...keyOf(app, turn), status: 500 })),
  two('server and problem code', (app, turn) => ({ ...serverOf(app, turn), code: 'not_found' })),
  two('key and server', (app, turn) => ({ ...keyOf(app, turn), ...serverOf(app, turn) })),
  two('key and an operation that is rarely called', (app, turn) => ({
    ...keyOf(app, turn),
    operationId: 'rareOperation',
  })),
  two('class 4xx and three seconds', () => ({ statusClass: 4, minDurationMs: 3_000 })),
  { name: 'page: method', query: () => ({ method: 'POST' }) },
  { name: 'page: text that no path contains', query: () => ({ path: 'nowhere' }) },
  { name: 'page: class 2xx and text', query: () => ({ statusClass: 2, path: 'publications' }) },
  { name: 'groups of 24 h', path: 'request-groups', isSummary: true, query: () => ({}) },
  { name: 'histogram of 24 h', path: 'request-histogram', isSummary: true, query: () => ({}) },
];

export interface QueryAnswer {
  tookMs: number;
  nextCursor: string | null | undefined;
}
export type QueryRunner = (question: InspectorQuery, turn: number, cursor?: string) => Promise<QueryAnswer>;

/** Returns the credential of an owner of the app's organisation. */
export function assertionOf({ organisation_id: organisationId }: RecordedApp): Promise<string> {
  const actor = {
    kind: 'person',
    personId: 'bench',
    name: 'bench',
    organisationId,
    role: 'owner',
    address: '192.0.2.7',
  } as const;
  return signAssertion(actor, 'sandbox', BENCH_SECRETS.managementKey);
}

export const addressOf = (url: string, { organisation_id, app_id }: RecordedApp): string =>
  `${url}/organisations/${toId('org', organisation_id)}/apps/${toId('app', app_id)}`;

/** Asks every second query about the app that made half of all records. */
export function createQueryRunner(url: string, apps: readonly RecordedApp[]): QueryRunner {
  const samples = new Map<string, Sample>();

  async function get<Body>(app: RecordedApp, path: string, query: Query): Promise<{ tookMs: number; body: Body }> {
    const assertion = await assertionOf(app);
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const address = `${addressOf(url, app)}/${path}?${parameters}`;
    const beganMs = performance.now();
    const response = await fetch(address, { headers: { authorization: `Bearer ${assertion}` } });
    const text = await response.text();
    const tookMs = performance.now() - beganMs;
    if (response.status !== 200) throw new Error(`${address}: ${response.status} ${text}`);
    return { tookMs, body: JSON.parse(text) };
  }

  /** Returns one of the app's sealed records with a trace. */
  async function sampleOf(app: RecordedApp): Promise<Sample> {
    const cached = samples.get(app.app_id);
    if (cached) return cached;
    const until = new Date(Date.now() - 3 * DAY_MS).toISOString();
    const { body } = await get<{ data: { id: string }[] }>(app, 'requests', { until, limit: 100 });
    let sample = { requestId: body.data[0]?.id ?? '', traceId: '0'.repeat(31).concat('1') };
    for (const { id } of body.data) {
      const { traceId } = (await get<{ traceId: string | null }>(app, `requests/${id}`, {})).body;
      if (traceId === null) continue;
      sample = { requestId: id, traceId };
      break;
    }
    samples.set(app.app_id, sample);
    return sample;
  }

  return async (question, turn, cursor) => {
    const app = turn % 2 === 0 ? of(apps, 0) : of(apps, 1 + turn * 7);
    const query = question.query(app, turn, await sampleOf(app));
    const pageParameters = { ...query, ...(cursor !== undefined && { cursor }) };
    const { tookMs, body } = await get<{ nextCursor?: string | null }>(
      app,
      question.path ?? 'requests',
      pageParameters,
    );
    return { tookMs, nextCursor: body.nextCursor };
  };
}

const PAGES = 12;

/** Reads the first pages of a query for each kind of app. Returns the time of each page. */
export async function walk(ask: QueryRunner, question: InspectorQuery): Promise<number[]> {
  const tookMs: number[] = [];
  for (const turn of [0, 1]) {
    let cursor: string | null | undefined;
    for (let page = 0; page < PAGES && cursor !== null; page++) {
      const answer = await ask(question, turn, cursor ?? undefined);
      tookMs.push(answer.tookMs);
      cursor = answer.nextCursor ?? null;
    }
  }
  return tookMs;
}
