// Production with a contract whose account grants every object: envelopes, paging by pages, lists without paging, values,
// files, replacements and actions, and responses that do not fit.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from './app.ts';
import type { OwnProduction } from './own-contract-production.fixture.ts';
import type { LiveApp } from './production.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/shop', import.meta.url).pathname;
});
const { json } = await import('./app.ts');
const { startOwnProduction } = await import('./own-contract-production.fixture.ts');

type Body = Record<string, unknown> & { code?: string; data: { id: string; status: string }[] };

let own: OwnProduction;
let app: LiveApp;
let token: string;
let orderId: string;
beforeAll(async () => {
  own = await startOwnProduction();
  const shop = own.upstream.add('shop', { id: 7, name: 'Corner' });
  const other = own.upstream.add('shop', { id: 12, name: 'Harbour' });
  for (let number = 0; number < 5; number += 1) own.upstream.add('order', { title: `Tea ${number}` }, shop);
  own.upstream.add('order', {}, other);
  for (let number = 0; number < 4; number += 1) own.upstream.add('item', { sku: `tea-${'x'.repeat(number + 1)}` });
  orderId = own.upstream.objects.find(({ resource }) => resource.kind === 'order')?.key ?? '';
});
afterAll(async () => {
  await own.close();
  expect(own.production.errors).toEqual([]);
});
beforeEach(async () => {
  own.upstream.change = undefined;
  own.upstream.respond = undefined;
  app = await own.production.newApp();
  token = (await app.key()).token;
  expect((await own.grant(app, 'account')).status).toBe(200);
});

const get = <T = Body>(path: string): Promise<Answer<T>> => own.production.call<T>(`/v1${path}`, token);
const send = (method: string, path: string, body?: unknown): Promise<Answer<Body>> =>
  own.production.call<Body>(`/v1${path}`, token, body === undefined ? { method } : { ...json(body), method });
const outcome = ({ status, body }: Answer<Body>): string => body?.code ?? String(status);
const nextOf = ({ headers }: Answer<unknown>): string =>
  /<http:\/\/production\.test\/v1([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';

test('a key without a statement of its account reaches nothing, and nothing is sent', async () => {
  const stranger = (await (await own.production.newApp()).key()).token;
  const before = own.upstream.requests.length;
  for (const path of ['/shops', '/shops/7', `/shops/7/orders/${orderId}`, '/order-totals']) {
    const { body } = await own.production.call<Body>(`/v1${path}`, stranger);
    expect([path, body.code]).toEqual([path, 'not_found']);
  }
  expect(own.upstream.requests.length).toBe(before);
});

test('an explanation of access refuses an operation of the account as the operation does, without a server', async () => {
  const { id: keyId, token: other } = await app.key();
  for (const state of ['authorised', 'paused', 'revoked'] as const) {
    await own.grant(app, 'account', 'authorised', { 'shops:read': state });
    for (const [id, path] of Object.entries({ listShops: '/shops', getShop: '/shops/7' })) {
      const real = await own.production.call<Body>(`/v1${path}`, other);
      const { body } = await own.manage(app, 'GET', `/access/${id}?keyId=${keyId}`);
      expect([id, state, body]).toMatchObject([
        ...[id, state],
        { isAllowed: real.status === 200, code: real.body.code ?? null, omittedServers: null },
      ]);
    }
  }
});

describe('reads', () => {
  test('have the declared envelopes, and leave out fields around them that the contract does not declare', async () => {
    expect((await get<object[]>('/shops')).body).toEqual([
      { id: 12, name: 'Harbour' },
      { id: 7, name: 'Corner' },
    ]);
    own.upstream.change = (answer) => ({ ...answer, body: { ...Object(answer.body), total: 'SECRET' } });
    expect((await get('/items/tea-x')).body).toEqual({ item: { sku: 'tea-x', name: 'Green tea', price: 3 } });
    own.upstream.change = undefined;
    expect((await get('/order-totals')).body).toEqual({ count: expect.any(Number) });
  });

  test('have the declared type, which the upstream API is asked for and must send', async () => {
    for (const path of ['/items/tea-x', '/items']) {
      own.upstream.change = undefined;
      const { status, headers } = await get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'application/hal+json']);
      expect(own.upstream.requests.at(-1)?.headers.accept).toBe('application/hal+json');
      own.upstream.change = (answer) => ({ ...answer, type: 'application/json' });
      expect(outcome(await get(path))).toBe('upstream_invalid');
    }
  });

  test('of a list with a cursor have a cursor of Slipway at the declared place', async () => {
    const titles: unknown[] = [];
    let path = '/shops/7/orders?limit=2&status=open';
    while (path !== '') {
      const page = await get(path);
      expect(page.status).toBe(200);
      titles.push(...page.body.data.map((order) => Reflect.get(order, 'title')));
      expect(page.text).not.toContain('after:');
      path = nextOf(page);
    }
    expect(titles).toEqual(['Tea 4', 'Tea 3', 'Tea 2', 'Tea 1', 'Tea 0']);
    const last = own.upstream.requests.at(-1)?.path;
    expect(last).toMatch(/^\/v1\/shops\/7\/orders\?limit=2&status=open&after=after%3Aord_\d+$/);
    expect(outcome(await get('/shops/7/orders?after=after:ord_1'))).toBe('invalid_request');
  });

  test('of a list by pages link the next page while pages are full', async () => {
    const first = await get<{ sku: string }[]>('/items?size=3');
    expect(first.body).toHaveLength(3);
    expect(nextOf(first)).toBe('/items?size=3&page=2');
    const second = await get<{ sku: string }[]>(nextOf(first));
    expect([second.body.length, nextOf(second)]).toEqual([1, '']);
  });

  test('of a list have the declared size, and the maximum of the contract', async () => {
    expect((await get<object[]>('/items')).body).toHaveLength(4);
    expect(own.upstream.requests.at(-1)?.path).toBe('/v1/items?size=10');
    const before = own.upstream.requests.length;
    const refused = await own.production.call<{ errors: { pointer: string }[] }>('/v1/items?size=13', token);
    expect([refused.status, refused.body.errors[0]?.pointer]).toEqual([400, '/query/size']);
    expect(own.upstream.requests.length).toBe(before);
  });

  test('of a list without a declared size are sent without one, and follow pages of any size', async () => {
    expect((await get('/shops/7/orders')).body.data).toHaveLength(5);
    expect(own.upstream.requests.at(-1)?.path).toBe('/v1/shops/7/orders');
    own.upstream.pageSize = 3;
    const sizes: number[] = [];
    for (let path = '/item-range'; path !== '' && sizes.length < 9; ) {
      const page = await get<object[]>(path);
      sizes.push(page.body.length);
      path = nextOf(page);
    }
    expect(sizes).toEqual([3, 1, 0]);
    expect(own.upstream.requests.at(-1)?.path).toBe('/v1/item-range?skip=4');
  });

  test('of a file have its bytes and type, within the declared size', async () => {
    const file = await fetch(`${own.production.apiUrl}/v1/shops/7/orders/${orderId}/label`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from([0x25, 0x50, 0xff, 0x00]));
    expect(own.upstream.requests.at(-1)?.headers.accept).toBe('application/pdf');
    const picture = { authorization: `Bearer ${token}`, accept: 'image/png' };
    await fetch(`${own.production.apiUrl}/v1/shops/7/orders/${orderId}/label`, { headers: picture });
    expect(own.upstream.requests.at(-1)?.headers.accept).toBe('image/png');
    const label = `/shops/7/orders/${orderId}/label`;
    // Both are invalid UTF-8, and equal once decoded.
    own.upstream.change = (answer) => ({ ...answer, body: Buffer.from([0x25, 0x50, 0xfe, 0x00]) });
    const changed = await fetch(`${own.production.apiUrl}/v1${label}`, {
      headers: { authorization: `Bearer ${token}`, 'if-none-match': file.headers.get('etag') ?? '' },
    });
    expect(changed.status).toBe(200);
    own.upstream.change = (answer) => ({ ...answer, body: Buffer.alloc(1_001) });
    expect(outcome(await get(label))).toBe('upstream_invalid');
    own.upstream.change = (answer) => ({ ...answer, type: 'text/html' });
    expect(outcome(await get(label))).toBe('upstream_invalid');
    own.upstream.change = (answer) => ({ ...answer, headers: { 'content-encoding': 'br' } });
    expect(outcome(await get(label))).toBe('upstream_invalid');
  });

  test('of paths that another server could resolve differently are not sent', async () => {
    const before = own.upstream.requests.length;
    for (const path of ['/items/%2e%2e', '/items/%2e', '/shops/007', '/shops/7.0', '/shops/1e1']) {
      expect([path, await own.statusOfRaw(`/v1${path}`, token)]).toEqual([path, 404]);
    }
    expect(own.upstream.requests.length).toBe(before);
  });
});

describe('responses that do not fit', () => {
  const order = () => own.upstream.objects.find(({ key }) => key === orderId)?.fields ?? {};
  test.each<[string, (body: object) => unknown]>([
    ['a further field', (body) => ({ ...body, attempts: 1 })],
    ['another identifier', (body) => ({ ...body, id: 'ord_9999' })],
    ['an object of another shop', (body) => ({ ...body, shop_id: 12 })],
    ['a value that the schema refuses', (body) => ({ ...body, status: 'lost' })],
    ['a missing field', ({ ...body }) => ({ ...body, title: undefined })],
    ['a list', (body) => [body]],
    ['nothing', () => null],
  ])('are refused: %s', async (_what, change) => {
    expect((await get(`/shops/7/orders/${orderId}`)).body).toEqual(order());
    own.upstream.change = (answer) => ({ ...answer, body: change({ ...order() }) });
    expect(outcome(await get(`/shops/7/orders/${orderId}`))).toBe('upstream_invalid');
  });

  test('are refused: lists with too many objects, an object of another parent, or a cursor that is no text', async () => {
    const answer = (body: unknown) => {
      own.upstream.change = (given) => ({ ...given, body });
    };
    answer({ data: [order(), order()], paging: { next: null } });
    expect(outcome(await get('/shops/7/orders?limit=2'))).toBe('200');
    expect(outcome(await get('/shops/7/orders?limit=1'))).toBe('upstream_invalid');
    expect(outcome(await get('/shops/12/orders?limit=2'))).toBe('upstream_invalid');
    for (const next of [7, 'a b', 'x'.repeat(301), undefined]) {
      answer({ data: [], paging: { next } });
      expect([next, outcome(await get('/shops/7/orders'))]).toEqual([next, 'upstream_invalid']);
    }
    for (const fields of [{ attempts: 1 }, { status: 'lost' }, { title: undefined }]) {
      answer({ data: [{ ...order(), ...fields }], paging: { next: null } });
      expect([fields, outcome(await get('/shops/7/orders'))]).toEqual([fields, 'upstream_invalid']);
    }
    answer({ orders: [] });
    expect(outcome(await get('/shops/7/orders'))).toBe('upstream_invalid');
  });

  test('are refused: another status, type or encoding', async () => {
    for (const [status, type] of [
      [201, 'application/json'],
      [200, 'text/html'],
      [302, 'application/json'],
    ] as const) {
      own.upstream.change = (answer) => ({ ...answer, status, type });
      expect([status, type, outcome(await get('/shops/7'))]).toEqual([status, type, 'upstream_invalid']);
    }
    own.upstream.change = (answer) => ({ ...answer, headers: { 'content-encoding': 'gzip' } });
    expect(outcome(await get('/shops/7'))).toBe('upstream_invalid');
  });
});

test('creations, replacements, changes and actions have the declared form', async () => {
  const total = { amount: 2.5, currency: 'EUR' };
  const made = await send('POST', '/shops/7/orders', { title: 'Kettle', total });
  expect([made.status, made.body.shop_id, made.body.title]).toEqual([201, 7, 'Kettle']);
  expect(made.headers.get('location')).toBe(`http://production.test/v1/shops/7/orders/${made.body.id}`);
  const path = `/shops/7/orders/${made.body.id}`;
  expect((await send('PATCH', path, { note: null })).body.note).toBeNull();
  expect(own.upstream.requests.at(-1)?.headers['content-type']).toBe('application/merge-patch+json');
  expect((await send('POST', `${path}/pay`)).body.status).toBe('paid');
  expect(own.upstream.requests.at(-1)).toMatchObject({ method: 'POST', body: '' });
  expect((await send('DELETE', path)).status).toBe(204);
  expect(outcome(await send('DELETE', path))).toBe('not_found');
  const item = { name: 'Oolong', price: 4 };
  const created = await send('POST', '/items', { sku: 'oolong', ...item });
  expect([created.status, created.body]).toEqual([201, { item: { sku: 'oolong', ...item } }]);
  expect(created.headers.get('location')).toBe('http://production.test/v1/items/oolong');
  expect(created.headers.get('content-type')).toBe('application/hal+json');
  expect((await send('PUT', '/items/oolong', { ...item, price: 5 })).body).toEqual({
    item: { sku: 'oolong', ...item, price: 5 },
  });
  expect(outcome(await send('PUT', '/items/oolong', { sku: 'other', ...item }))).toBe('invalid_request');
  expect(outcome(await send('POST', '/shops/7/orders', { title: 'Tea', total, secret: 1 }))).toBe('invalid_request');
});

test('a change of which the result is unknown is answered 504, and a repeat with its key asks again', async () => {
  const body = { title: 'Lost', total: { amount: 1, currency: 'EUR' } };
  const create = () =>
    own.production.call<Body>('/v1/shops/7/orders', token, {
      ...json(body),
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'lost' },
    });
  own.upstream.change = () => ({ status: 500, body: {} });
  expect((await create()).status).toBe(504);
  expect(own.production.errors.splice(0)).toMatchObject([{ code: 'timeout' }]);
  own.upstream.change = undefined;
  expect(outcome(await create())).toBe('idempotency_in_progress');
  expect(await own.production.waitFor(app, '-1 second')).toBe(1);
  // The upstream API refuses a repeat while it carries out the first request.
  own.upstream.change = () => ({ status: 409, body: { code: 'busy' } });
  expect(outcome(await create())).toBe('idempotency_in_progress');
  own.upstream.change = undefined;
  expect(await own.production.waitFor(app, '-1 second')).toBe(1);
  const answer = await create();
  expect([answer.status, answer.body.title]).toEqual([201, 'Lost']);
  expect(own.upstream.objects.filter(({ fields }) => fields.title === 'Lost')).toHaveLength(1);
  const keys = own.upstream.requests
    .filter(({ body: sent }) => sent.includes('Lost'))
    .map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(1);
});
