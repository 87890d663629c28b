// Publications and roadmap items: lists that can be paged, single objects, and the effect of paused and revoked grants.
// A page is never older than the grant or the object.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../src/access/authority/index.ts';
import { fromId } from '../src/kit/crypto/ids.ts';
import { type Answer, type Sandbox, startSandbox, type TestApp } from './app.ts';

interface Item {
  id: string;
  serverId: string;
  title: string;
}
interface List {
  data: Item[];
  nextCursor: string | null;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe.each<{ list: string; one: string; scope: Scope; prefix: string; table: string; id: string; count: number }>([
  {
    list: 'publications',
    one: 'publications',
    scope: 'publications:read',
    prefix: 'pub',
    table: 'publications',
    id: 'publication_id',
    count: 12,
  },
  {
    list: 'roadmap',
    one: 'roadmap',
    scope: 'roadmap:read',
    prefix: 'rmi',
    table: 'roadmap_items',
    id: 'roadmap_item_id',
    count: 6,
  },
])('the list $list', ({ list, one, scope, prefix, table, id, count }) => {
  let app: TestApp;
  let token: string;
  let server: string;
  beforeEach(async () => {
    app = await sandbox.newApp();
    token = (await app.key()).token;
    server = app.serverIds[0] ?? '';
  });

  const page = (query = ''): Promise<Answer<List>> => sandbox.call(`/v1/servers/${server}/${list}${query}`, token);
  const get = (item: string, headers = {}): Promise<Answer<Item>> =>
    sandbox.call(`/v1/${one}/${item}`, token, { headers });
  const setGrant = (state: string, of?: Scope): Promise<Answer> =>
    sandbox.manage('PUT', `/apps/${app.id}/servers/${server}/installation${of ? `/scopes/${of}` : ''}`, { state });

  test('pages of a list contain each object of the server once, newest first, by cursor and by Link header', async () => {
    const all = (await page()).body;
    expect([all.data.length, all.nextCursor]).toEqual([count, null]);
    expect(all.data.map((item) => item.serverId)).toEqual(Array(count).fill(server));
    const walked: Item[] = [];
    let query: string | undefined = '?limit=4';
    while (query !== undefined) {
      const { body, headers } = await page(query);
      walked.push(...body.data);
      const link = /^<http:\/\/sandbox\.test\/v1\/servers\/\w+\/\w+(\?[^>]+)>; rel="next"$/.exec(
        headers.get('link') ?? '',
      );
      query = body.nextCursor === null ? undefined : `?limit=4&cursor=${body.nextCursor}`;
      expect(link?.[1]).toBe(query);
    }
    expect(walked).toEqual(all.data);
    const ids = walked.map((item) => fromId(prefix, item.id) ?? '');
    expect(ids).toEqual([...ids].sort().reverse());
  });

  test('an object that is added or removed between two pages makes no other object skipped or repeated', async () => {
    const all = (await page()).body.data.map((item) => item.id);
    const first = await page('?limit=3');
    const [removed, returned] = [fromId(prefix, all[4] ?? ''), fromId(prefix, all[2] ?? '')];
    await sandbox.database.superuser.query(`delete from ${table} where ${id} = any($1)`, [[removed, returned]]);
    const second = await page(`?limit=100&cursor=${first.body.nextCursor}`);
    expect(second.body.data.map((item) => item.id)).toEqual(all.slice(3).filter((_, at) => at !== 1));
  });

  test('a cursor of one server is refused on another', async () => {
    const { nextCursor } = (await page('?limit=1')).body;
    const other = await sandbox.call(`/v1/servers/${app.serverIds[1]}/${list}?limit=1&cursor=${nextCursor}`, token);
    expect([other.status, other.body.errors]).toMatchObject([400, [{ pointer: '/query/cursor' }]]);
  });

  test('a single object equals its entry in the list, with an ETag that gets 304 until the object changes', async () => {
    const [item] = (await page()).body.data;
    const found = await get(item?.id ?? '');
    expect(found.body).toEqual(item);
    const etag = found.headers.get('etag') ?? '';
    expect((await get(item?.id ?? '', { 'if-none-match': etag })).status).toBe(304);
    await sandbox.database.superuser.query(`update ${table} set title = 'Changed' where ${id} = $1`, [
      fromId(prefix, item?.id ?? ''),
    ]);
    const changed = await get(item?.id ?? '', { 'if-none-match': etag });
    expect([changed.status, changed.body.title]).toEqual([200, 'Changed']);
    expect((await page()).body.data[0]?.title).toBe('Changed');
  });

  test('pausing or revoking the scope or the server ends list and object immediately, and resuming restores them', async () => {
    const item = (await page()).body.data[0]?.id ?? '';
    const codes = async (): Promise<unknown[]> =>
      [(await page()).body, (await get(item)).body].map((body) => (body as { code?: string }).code);
    expect(await codes()).toEqual([undefined, undefined]);
    await setGrant('paused', scope);
    expect(await codes()).toEqual(['installation_paused', 'installation_paused']);
    await setGrant('authorised', scope);
    expect(await codes()).toEqual([undefined, undefined]);
    await setGrant('paused');
    expect(await codes()).toEqual(['installation_paused', 'installation_paused']);
    await setGrant('authorised');
    await setGrant('revoked', scope);
    expect(await codes()).toEqual(['installation_revoked', 'installation_revoked']);
  });

  test('pausing another scope has no effect', async () => {
    await setGrant('paused', 'tickets:create');
    expect((await page()).status).toBe(200);
  });
});
