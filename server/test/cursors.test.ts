// Paging by cursor while rows come and go: rows that stay are returned exactly once, and no row twice.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { json, type Sandbox, startSandbox, type TestApp } from './app.ts';
import { until } from './harness.ts';

interface ListPage {
  data: { id: string }[];
  nextCursor: string | null;
}

let sandbox: Sandbox;
let app: TestApp;
let token: string;
let serverId: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  token = (await app.key()).token;
  serverId = app.serverIds[0] ?? '';
});

const query = async (text: string, ...values: unknown[]): Promise<{ id: string }[]> =>
  (await sandbox.database.superuser.query(text, [fromId('app', app.id), ...values])).rows;

// Copies a row with an id anywhere in the order: before, within or after the rows that were returned already.
const LISTS = [
  {
    path: () => `/v1/servers/${serverId}/publications`,
    prefix: 'pub',
    table: 'publications',
    id: 'publication_id',
    copy: `select app_id, $2::uuid, server_id, channel, title, body_markdown, status, author, tags, published_at, created_at`,
  },
  {
    path: () => `/v1/servers/${serverId}/roadmap`,
    prefix: 'rmi',
    table: 'roadmap_items',
    id: 'roadmap_item_id',
    copy: `select app_id, $2::uuid, server_id, title, description, status, category, position, vote_count, target_quarter,
      created_at`,
  },
  {
    path: () => `/v1/servers/${serverId}/workflows`,
    prefix: 'wfl',
    table: 'workflows',
    id: 'workflow_id',
    copy: `select app_id, $2::uuid, server_id, name, description, input_schema, steps, failing_step, enabled, created_at`,
  },
  {
    path: () => `/v1/servers/${serverId}/tickets`,
    prefix: 'tkt',
    table: 'tickets',
    id: 'ticket_id',
    // The number of a ticket is unique on its server, and the copied row can be a copy itself: the number comes from the
    // new id alone, which ends with its step.
    copy: `select app_id, $2::uuid, server_id, 1000000 + ('x' || right($2::text, 6))::bit(24)::int, subject, body, category,
      priority, status, requester, labels, metadata, event_sequence, created_at`,
  },
];

// Equal steps through all ids: reproducible, and without collisions.
function* someIds(): Generator<string> {
  for (let step = 1; ; step++) {
    const first = ((step * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
    yield `${first}-0000-7000-8000-${step.toString(16).padStart(12, '0')}`;
  }
}

describe.each(LISTS)('paging of $table', ({ path, prefix, table, id, copy }) => {
  const insert = async (uuid: string): Promise<void> => {
    const text = `insert into ${table} ${copy} from ${table} where app_id = $1 and server_id = $3 limit 1`;
    await query(text, uuid, fromId('srv', serverId));
  };
  const listIds = async (): Promise<string[]> => {
    const text = `select ${id} as id from ${table} where app_id = $1 and server_id = $2`;
    return (await query(text, fromId('srv', serverId))).map((row) => row.id);
  };

  test.each([1, 3, 7])('pages of %i return each staying row once while rows come and go', async (limit) => {
    const ids = someIds();
    const next = (): string => ids.next().value ?? '';
    for (let count = 0; count < 40; count++) await insert(next());
    const stayed = new Set(await listIds());
    const met: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page++) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, body } = await sandbox.call<ListPage>(`${path()}?limit=${limit}${from}`, token);
      expect(status).toBe(200);
      met.push(...body.data.map((row) => fromId(prefix, row.id) ?? ''));
      cursor = body.nextCursor;
      if (page >= 25) continue; // later insertions would keep the paging going for ever
      await insert(next());
      await insert(next());
      // Removes a returned row and a row that was not returned yet. Every second time the returned one is the row of
      // the cursor.
      const gone = [met.at(page % 2 === 0 ? -1 : -2), (await listIds()).sort()[page % 5]];
      for (const one of gone) {
        await query(`delete from ${table} where app_id = $1 and ${id} = $2`, one);
        stayed.delete(one ?? '');
      }
    }
    expect(new Set(met).size).toBe(met.length);
    expect([...met].sort().reverse()).toEqual(met);
    expect([...stayed].filter((one) => !met.includes(one))).toEqual([]);
  });
});

test('pages of servers stay consistent while a reset removes servers and others are paused', async () => {
  await sandbox.manage('POST', `/apps/${app.id}/world/reset`, { preset: 'busy' });
  const first = (await sandbox.call<ListPage>('/v1/servers?limit=8', token)).body;
  const paused = first.data[7]?.id;
  await sandbox.manage('PUT', `/apps/${app.id}/servers/${paused}/installation`, { state: 'paused' });
  await sandbox.manage('POST', `/apps/${app.id}/world/reset`, { preset: 'small' });
  const second = (await sandbox.call<ListPage>(`/v1/servers?limit=8&cursor=${first.nextCursor}`, token)).body;
  // The five oldest servers stay.
  expect([second.data.map((server) => server.id), second.nextCursor]).toEqual([app.serverIds, null]);
});

test('pages of events return each once and in order while more events happen', async () => {
  const create = (subject: string) =>
    sandbox.call(`/v1/servers/${serverId}/tickets`, token, json({ subject, body: 'b' }));
  const met: string[] = [];
  let after = '';
  for (let round = 0; round < 6; round++) {
    await Promise.all([0, 1, 2, 3].map((number) => create(`${round}-${number}`)));
    const query = new URLSearchParams({ limit: '3', ...(after !== '' && { after }) });
    const page = await sandbox.call<{ data: { id: string }[]; nextAfter: string | null }>(`/v1/events?${query}`, token);
    met.push(...page.body.data.map((event) => event.id));
    after = page.body.nextAfter ?? '';
  }
  await until(async () => {
    const query = new URLSearchParams({ limit: '100', ...(after !== '' && { after }) });
    const page = await sandbox.call<{ data: { id: string }[]; nextAfter: string | null }>(`/v1/events?${query}`, token);
    met.push(...page.body.data.map((event) => event.id));
    after = page.body.nextAfter ?? '';
    return met.length >= 24;
  });
  expect([met.length, new Set(met).size]).toEqual([24, 24]);
});
