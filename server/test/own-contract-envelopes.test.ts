// The fields around the content of responses in the sandbox: totals, flags, addresses of pages, constants, and the
// identifiers of the path.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test, vi } from 'vitest';
import { type Answer, json } from './app.ts';
import { app, key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/depot', import.meta.url).pathname;
});
useOwnContract();

interface Crate {
  id: number;
  yard_id: number;
  kind: string;
}
interface CratePage {
  data: Crate[];
  meta: { total: number; pages: number; page: number; per_page: number; in_page: number };
  links: Record<'self' | 'first' | 'previous' | 'next' | 'last', string | null>;
}
interface YardPage {
  items: Crate[];
  meta: { pagination: { cursor?: string; total: number; has_more: boolean } };
}

const get = <T = CratePage>(path: string, token = key.token): Promise<Answer<T>> =>
  sandbox.call<T>(`/v1${path}`, token);
const send = <T>(path: string, body: object): Promise<Answer<T>> =>
  sandbox.call<T>(`/v1${path}`, key.token, json(body));
const addCrate = (yard: number, kind = 'wet') => send<Crate>(`/yards/${yard}/crates`, { name: 'Tea', kind });
const pathOf = (address: string | null): string => address?.slice(address.indexOf('/v1') + 3) ?? '';

test('a list by page has the number of objects and pages, and the addresses of the pages around it', async () => {
  const first = (await get('/crates')).body;
  expect(first).toMatchObject({ object: 'list', meta: { total: 9, pages: 3, page: 1, per_page: 4, in_page: 4 } });
  expect([first.links.previous, first.links.self, first.links.first].map(pathOf)).toEqual(['', '/crates', '/crates']);
  const walked: number[] = first.data.map(({ id }) => id);
  let page = first;
  while (page.links.next !== null) {
    page = (await get(pathOf(page.links.next))).body;
    walked.push(...page.data.map(({ id }) => id));
  }
  expect(new Set(walked).size).toBe(9);
  expect(page).toMatchObject({ meta: { total: 9, page: 3, in_page: 1 }, links: { next: null } });
  expect(page.links.self).toBe(page.links.last);
  expect(pathOf(page.links.previous)).toBe('/crates?page=2');
});

test('a search below a yard selects by its body, and an action about one object that returns a list is no search', async () => {
  const crate = (await addCrate(1, 'dry')).body;
  await addCrate(2, 'dry');
  const { body } = await send<CratePage>('/yards/1/crates/find', { kind: 'dry' });
  const dry = (await get('/crates?kind=dry&per_page=50')).body.data.filter(({ yard_id: yard }) => yard === 1);
  expect(dry).toContainEqual(crate);
  expect(new Set(body.data)).toEqual(new Set(dry));
  expect(body.meta.total).toBe(dry.length);
  const similarTo = (id: number): Promise<Answer> =>
    sandbox.call(`/v1/crates/${id}/similar`, key.token, { method: 'POST', headers: { 'idempotency-key': `of-${id}` } });
  expect((await similarTo(crate.id)).body).toEqual([crate]);
  expect((await similarTo(crate.id)).headers.get('idempotent-replayed')).toBe('true');
  expect((await similarTo(987_654)).status).toBe(404);
});

test('the total counts the objects that the filters of the request select, also after the last page', async () => {
  const { total } = (await get('/crates?kind=wet')).body.meta;
  await addCrate(1);
  await addCrate(2, 'dry');
  expect((await get('/crates?kind=wet&per_page=1')).body.meta).toMatchObject({ total: total + 1, pages: total + 1 });
  expect((await get('/crates?kind=wet&page=40')).body).toMatchObject({
    data: [],
    meta: { total: total + 1, page: 40 },
  });
  expect((await get<YardPage>('/yards/1/crates')).body.meta.pagination).toEqual({ total: 4, has_more: false });
});

test('the total counts no objects of other apps, and none that grants withhold', async () => {
  const other = (await (await sandbox.newApp()).key()).token;
  await addCrate(1);
  expect((await get('/crates', other)).body.meta.total).toBe(9);
  const { body } = await sandbox.manage<{ data: { serverId: string; serverName: string }[] }>(
    'GET',
    `/apps/${app.id}/installations`,
  );
  const { serverId } = body.data.find(({ serverName }) => serverName !== 'Account') ?? {};
  await sandbox.manage('PUT', `/apps/${app.id}/servers/${serverId}/installation`, { state: 'paused' });
  const { data, meta } = (await get('/crates?per_page=50')).body;
  expect([meta.total, meta.pages]).toEqual([data.length, 1]);
  expect(data.length).toBeLessThan(10);
});

test('a list by cursor has its total in each page, and no cursor after the last one', async () => {
  const pages: YardPage[] = [];
  let path = '/yards/2/crates?limit=2';
  while (path !== '') {
    const { body } = await get<YardPage>(path);
    pages.push(body);
    const { cursor } = body.meta.pagination;
    path = cursor === undefined ? '' : `/yards/2/crates?limit=2&after=${cursor}`;
  }
  expect(pages.map(({ meta }) => meta.pagination)).toEqual([
    { cursor: expect.any(String), total: 3, has_more: true },
    { total: 3, has_more: false },
  ]);
});

test('a list by offset has the number of skipped objects, and the next number in a field for one', async () => {
  expect((await get<object>('/yards/1/crate-range?take=2')).body).toMatchObject({ skipped: 0, next: 2, final: false });
  expect((await get<object>('/yards/1/crate-range?take=2&skip=2')).body).toMatchObject({
    ...{ skipped: 2, next: null, final: true },
  });
});

test('a list without pages has the number of its objects, and an object has the constants and examples around it', async () => {
  const { body } = await get<{ tags: object[]; total: number }>('/tags');
  expect([body.tags.length, body.total]).toEqual([2, 2]);
  expect((await get<object>('/yards/1')).body).toEqual({
    yard: { id: 1, name: expect.any(String) },
    version: 2,
    region: 'EU',
  });
  expect((await get<object>('/crates')).body).toMatchObject({ notice: 'Closed on Sundays' });
});

test('the served document has the fields around the content, which the responses fit', async () => {
  interface Operation {
    responses: Record<
      string,
      { content: Record<string, { schema: object; examples: Record<string, { value: object }> }> }
    >;
  }
  const { body: document } = await get<{ paths: Record<string, Record<string, Operation>> }>('/openapi.json');
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  for (const [path, template] of [
    ['/crates', '/v1/crates'],
    ['/crates?page=3', '/v1/crates'],
    ['/yards/1/crates?limit=1', '/v1/yards/{yardId}/crates'],
    ['/yards/1/crates', '/v1/yards/{yardId}/crates'],
    ['/yards/1/crate-range', '/v1/yards/{yardId}/crate-range'],
    ['/yards/1', '/v1/yards/{yardId}'],
    ['/tags', '/v1/tags'],
  ] as const) {
    const { schema, examples } = document.paths[template]?.get?.responses['200']?.content['application/json'] ?? {};
    const pointer = `${template.replaceAll('/', '~1')}`;
    const validate = ajv.getSchema(
      `document#/paths/${encodeURIComponent(pointer)}/get/responses/200/content/application~1json/schema`,
    );
    const answers = [(await get<object>(path)).body, ...Object.values(examples ?? {}).map(({ value }) => value)];
    for (const answer of answers) expect([path, validate?.(answer), validate?.errors]).toEqual([path, true, null]);
    expect([path, schema]).not.toEqual([path, undefined]);
  }
  const numbered = document.paths['/v1/crates']?.get?.responses['200']?.content['application/json'];
  expect(numbered?.schema).toMatchObject({
    required: ['object', 'data', 'meta', 'links'],
    properties: {
      object: { const: 'list' },
      meta: { properties: { total: { minimum: 0 } }, required: ['page', 'per_page'] },
    },
  });
  expect(numbered?.examples).toMatchObject({ aPage: { value: { meta: { total: 1, pages: 1, per_page: 4 } } } });
});

test('a response has the identifier of the path in the fields with the name of its parameter, in any case', async () => {
  expect((await send('/yards/2/weigh', {})).body).toEqual({ yard_id: 2, scale: { YardId: '2' } });
});

test('a new object has the identifier of a path that names no resource, if its field accepts it', async () => {
  const crateIds = async (path: string) => (await send<{ crate_id: number }>(path, { name: 'Heavy' })).body.crate_id;
  expect(await crateIds('/racks/12/tags')).toBe(12);
  expect(await crateIds('/racks/twelve/tags')).toBe(4711);
  expect(await crateIds('/crates/12/tags')).toBe(4711);
});
