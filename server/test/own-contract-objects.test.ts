// The operations of a contract of an operator in the sandbox: lists, objects, changes, actions and their events.
import { describe, expect, test, vi } from 'vitest';
import { advanceDueObjects } from '../src/resources/operations/index.ts';
import { type Answer, json } from './app.ts';
import { until } from './harness.ts';
import { app, key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/shop', import.meta.url).pathname;
});

interface Order {
  id: string;
  shop_id: number;
  title: string;
  payment?: object;
  note?: string | null;
  status: string;
  created_at: string;
  updated_at: string;
}
interface Problem {
  code: string;
  detail?: string;
  errors?: { pointer: string; detail: string }[];
}
type Body = Order & Problem;

useOwnContract();

const get = <T = Body>(path: string, token = key.token): Promise<Answer<T>> => sandbox.call<T>(`/v1${path}`, token);
const send = <T = Body>(
  method: string,
  path: string,
  body?: unknown,
  { token = key.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
): Promise<Answer<T>> => {
  const init = body === undefined ? { method, headers } : { ...json(body), method };
  return sandbox.call<T>(`/v1${path}`, token, { ...init, headers: { ...init.headers, ...headers } });
};
const TOTAL = { amount: 2.5, currency: 'EUR' };
const order = (more: object = {}): object => ({ title: 'Tea', total: TOTAL, ...more });
const create = (more: object = {}, headers: Record<string, string> = {}) =>
  send('POST', '/shops/7/orders', order(more), { headers });
const events = async (
  token = key.token,
): Promise<{ type: string; sequence: number; subject: object; data: object }[]> =>
  (await get<{ data: [] }>('/events?limit=100', token)).body.data;
/** Resolves to the events about an object. The feed withholds an event while an older transaction is open. */
const eventsOf = (id: string, count: number) =>
  until(async () => {
    const own = (await events()).filter(({ subject }) => Reflect.get(subject, 'id') === id);
    return own.length >= count && own;
  });

describe('sandbox data', () => {
  test('begins with the declared samples, and with made objects below them', async () => {
    const shops = await get<{ id: number; name: string }[]>('/shops');
    expect(shops.body).toHaveLength(3);
    expect(shops.body.map(({ id }) => id)).toEqual(expect.arrayContaining([7, 12]));
    const { data } = (await get<{ data: Order[] }>('/shops/12/orders')).body;
    expect(data.map(({ shop_id }) => shop_id)).toEqual([12, 12, 12, 12]);
  });

  test('has the same objects after a reset with the same seed, and none after a reset to an empty preset', async () => {
    const before = (await get('/shops/7/orders')).text;
    await create();
    const reset = (preset: string) =>
      sandbox.manage<{ counts: object }>('POST', `/apps/${app.id}/world/reset`, { preset });
    expect((await reset('small')).body.counts).toEqual({ shops: 3, orders: 12, items: 30 });
    expect((await get('/shops/7/orders')).text).toBe(before);
    expect((await reset('empty')).body.counts).toEqual({ shops: 0, orders: 0, items: 0 });
    expect((await get('/shops')).body).toEqual([]);
    expect((await get('/shops/7/orders')).status).toBe(404);
  });

  test('has other identifiers in each app', async () => {
    const other = await sandbox.newApp();
    const [own, foreign] = [key.token, (await other.key()).token].map((token) =>
      get<{ data: Order[] }>('/shops/7/orders', token),
    );
    const ids = new Set((await own)?.body.data.map(({ id }) => id));
    expect((await foreign)?.body.data.filter(({ id }) => ids.has(id))).toEqual([]);
  });
});

describe('reads', () => {
  test('a list follows the cursor of the declared parameter through all objects', async () => {
    interface Page {
      data: Order[];
      paging: { next: string | null };
    }
    const first = await get<Page>('/shops/7/orders?limit=3');
    expect(first.body.data).toHaveLength(3);
    expect(first.headers.get('link')).toContain('&after=');
    const second = await get<Page>(`/shops/7/orders?limit=3&after=${first.body.paging.next}`);
    expect(second.body.data).toHaveLength(1);
    expect(second.body.paging.next).toBeNull();
    const elsewhere = await get(`/shops/12/orders?after=${first.body.paging.next}`);
    expect(elsewhere.body.errors?.[0]?.pointer).toBe('/query/after');
  });

  test('a list with numbered pages returns each object once', async () => {
    const skus = async (page: number) =>
      (await get<{ sku: string }[]>(`/items?size=12&page=${page}`)).body.map(({ sku }) => sku);
    const pages = await Promise.all([1, 2, 3, 4].map(skus));
    expect(pages.map((one) => one.length)).toEqual([12, 12, 6, 0]);
    expect(new Set(pages.flat()).size).toBe(30);
  });

  test('a list is filtered by the declared fields, and refuses an unknown value', async () => {
    const made = await create();
    await send('POST', `/shops/7/orders/${made.body.id}/pay`);
    const paid = await get<{ data: Order[] }>('/shops/7/orders?status=paid');
    expect(paid.body.data.map(({ id }) => id)).toContain(made.body.id);
    expect(new Set(paid.body.data.map(({ status }) => status))).toEqual(new Set(['paid']));
    expect((await get('/shops/7/orders?status=lost')).status).toBe(400);
  });

  test.each([
    ['an object that does not exist', '/shops/8'],
    ['an identifier of another form', '/shops/seven'],
    ['an identifier with a leading zero', '/shops/07'],
    ['the objects below a missing object', '/shops/8/orders'],
    ['a missing object below another one', '/shops/7/orders/ord_none'],
  ])('a read returns 404 for %s', async (_what, path) => {
    expect((await get(path)).status).toBe(404);
  });

  test('a read returns 404 for an object below another parent', async () => {
    const { id } = (await create()).body;
    expect((await get(`/shops/7/orders/${id}`)).status).toBe(200);
    expect((await get(`/shops/12/orders/${id}`)).status).toBe(404);
    expect((await get(`/shops/12/orders/${id}/label`)).status).toBe(404);
  });

  test('operations return files and values as declared', async () => {
    const { id } = (await create()).body;
    const label = await get(`/shops/7/orders/${id}/label`);
    expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const picture = await send('GET', `/shops/7/orders/${id}/label`, undefined, { headers: { accept: 'image/png' } });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { paths } = (await get<{ paths: Record<string, unknown> }>('/openapi.json')).body;
    const content = { 'application/pdf': expect.anything(), 'image/png': expect.anything() };
    const labelPath = '/v1/shops/{shopId}/orders/{orderId}/label';
    expect(paths[labelPath]).toMatchObject({ get: { responses: { 200: { content } } } });
    const { count } = (await get<{ count: number }>('/order-totals')).body;
    expect(Number.isInteger(count)).toBe(true);
  });
});

describe('changes', () => {
  test('a creation stores the values of the caller, the parent, the first state and the times', async () => {
    const made = await create({ note: 'x' });
    expect(made.status).toBe(201);
    const { id } = made.body;
    expect(made.body).toMatchObject({ shop_id: 7, title: 'Tea', note: 'x', status: 'open' });
    expect(Object.keys(made.body)).toEqual([
      'id',
      'shop_id',
      'title',
      'note',
      'total',
      'status',
      'created_at',
      'updated_at',
    ]);
    expect(made.headers.get('location')).toBe(`http://sandbox.test/v1/shops/7/orders/${id}`);
    expect((await get(`/shops/7/orders/${id}`)).body).toEqual(made.body);
  });

  test('an object is replaced, updated and deleted', async () => {
    await send('POST', '/items', { sku: 'black-tea', name: 'Black', price: 2, color: 'black' });
    const replaced = await send<{ item: object }>('PUT', '/items/black-tea', { name: 'Black tea', price: 4 });
    expect(replaced.body.item).toEqual({ sku: 'black-tea', name: 'Black tea', price: 4 });
    const { id, created_at: createdAt } = (await create({ code: 'a' })).body;
    const path = `/shops/7/orders/${id}`;
    const updated = await send('PATCH', path, { note: null, title: null });
    expect(updated.status).toBe(400); // the title is required
    const changed = await send('PATCH', path, { note: null });
    expect(changed.body).toMatchObject({ note: null, code: 'a', title: 'Tea', created_at: createdAt });
    // In a merge patch, null removes a field that cannot be null.
    expect((await send('PATCH', path, { code: null })).body).not.toHaveProperty('code');
    const deleted = await send('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await get(path)).status).toBe(404);
    expect((await send('DELETE', path)).status).toBe(404);
  });

  test('an object without a given identifier gets one that matches the pattern', async () => {
    const made = await Promise.all(
      [1, 2].map((price) => send<{ item: { sku: string } }>('POST', '/items', { name: 'Tea', price })),
    );
    const skus = made.map(({ body }) => body.item.sku);
    expect(skus).toEqual([expect.stringMatching(/^[a-z-]{1,40}$/), expect.stringMatching(/^[a-z-]{1,40}$/)]);
    expect(skus[0]).not.toBe(skus[1]);
    expect((await get<{ item: { sku: string } }>(`/items/${skus[0]}`)).body.item.sku).toBe(skus[0]);
    expect((await send('POST', '/items', { sku: 'Tea', name: 'Tea', price: 1 })).body.code).toBe('invalid_request');
  });

  test('a change of the state follows the declared states only', async () => {
    const path = `/shops/7/orders/${(await create()).body.id}`;
    expect((await send('PATCH', path, { status: 'shipped' })).body).toMatchObject({
      code: 'conflict',
      detail: 'The order is open, and cannot become shipped. The states that can follow are paid, cancelled.',
    });
    expect((await send('POST', `${path}/pay`)).body.status).toBe('paid');
    expect((await send('POST', `${path}/pay`)).body.detail).toMatch(/^The order is paid, and cannot become paid\./);
    expect((await send('PATCH', path, { status: 'shipped' })).body.status).toBe('shipped');
  });

  test('changes emit the declared events once each, with contiguous sequences and the object at that time', async () => {
    const { id } = (await create()).body;
    const path = `/shops/7/orders/${id}`;
    await send('PATCH', path, { title: 'Coffee' });
    await send('POST', `${path}/pay`);
    await send('DELETE', path);
    const own = await eventsOf(id, 4);
    expect(
      own.map(({ type, sequence, data }) => [type, sequence, Reflect.get(data, 'title'), Reflect.get(data, 'status')]),
    ).toEqual([
      ['order.created', 1, 'Tea', 'open'],
      ['order.updated', 2, 'Coffee', 'open'],
      ['order.paid', 3, 'Coffee', 'paid'],
      ['order.deleted', 4, 'Coffee', 'paid'],
    ]);
  });

  test('a change with a repeated Idempotency-Key has one effect, also without a body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [await create({}, headers), await create({}, headers)];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const path = `/shops/7/orders/${first.body.id}`;
    const deletion = { 'idempotency-key': 'gone' };
    expect((await send('DELETE', path, undefined, { headers: deletion })).status).toBe(204);
    const repeated = await send('DELETE', path, undefined, { headers: deletion });
    expect([repeated.status, repeated.text]).toEqual([204, '']);
    const types = (await eventsOf(first.body.id, 2)).map(({ type }) => type);
    expect(types).toEqual(['order.created', 'order.deleted']);
  });

  test('a value that only requests contain is neither stored nor repeated, and no event has it', async () => {
    const payment = { kind: 'card', last4: '4242' };
    const { status, body } = await create({ payment: { ...payment, code: '123' } });
    expect([status, body.payment]).toEqual([201, payment]);
    const { body: changed } = await send('PATCH', `/shops/7/orders/${body.id}`, {
      payment: { ...payment, code: '321' },
    });
    expect(changed.payment).toEqual(payment);
    expect((await get(`/shops/7/orders/${body.id}`)).body).toEqual(changed);
    const all = await eventsOf(body.id, 2);
    expect(all.map(({ data }) => Reflect.get(data, 'payment'))).toEqual([payment, payment]);
    const invalid = await create({ payment: { ...payment, code: 'x' } });
    expect(invalid.status).toBe(400);
  });

  test('a change with a body that does not fit is refused', async () => {
    const pointers = async (body: object) =>
      (await send('POST', '/shops/7/orders', body)).body.errors?.map(({ pointer }) => pointer);
    expect(await pointers({ title: '' })).toEqual(expect.arrayContaining(['/title', '/total']));
    const inPayment = await pointers(order({ payment: { kind: 'card', last4: 'abcd' } }));
    expect(inPayment?.filter((pointer) => pointer.startsWith('/payment'))).toEqual(inPayment);
    expect(await pointers(order({ shop_id: 12 }))).toEqual(['/shop_id']);
    expect((await send('PUT', '/items/green-tea', { sku: 'other', name: 'x', price: 1 })).status).toBe(404);
    await send('POST', '/items', { sku: 'green-tea', name: 'x', price: 1 });
    expect((await send('POST', '/items', { sku: 'green-tea', name: 'x', price: 1 })).body.code).toBe('conflict');
    expect(
      (await send('PUT', '/items/green-tea', { sku: 'other', name: 'x', price: 1 })).body.errors?.[0]?.pointer,
    ).toBe('/sku');
  });

  test('concurrent changes of one object emit every event', async () => {
    const { id } = (await create()).body;
    const titles = Array.from({ length: 8 }, (_, index) => `Title ${index}`);
    const answers = await Promise.all(titles.map((title) => send('PATCH', `/shops/7/orders/${id}`, { title })));
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200));
    const own = await eventsOf(id, 9);
    expect(own.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('attacks', () => {
  test('another app sees and changes nothing', async () => {
    const { id } = (await create()).body;
    const { token } = await (await sandbox.newApp()).key();
    const path = `/shops/7/orders/${id}`;
    const answers = [
      await get(path, token),
      await send('PATCH', path, { title: 'x' }, { token }),
      await send('DELETE', path, undefined, { token }),
      await send('POST', `${path}/pay`, undefined, { token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(JSON.stringify(await events(token))).not.toContain(id);
    expect((await get(path)).body.title).toBe('Tea');
  });

  test('a key needs every scope of the operation', async () => {
    const { token } = await app.key(['orders:write'] as never);
    expect((await send('POST', '/shops/7/orders', order(), { token })).body.code).toBe('missing_scope');
    expect((await get('/shops/7/orders', token)).body.code).toBe('missing_scope');
    expect((await send('DELETE', `/shops/7/orders/${(await create()).body.id}`, undefined, { token })).status).toBe(
      204,
    );
  });

  test('a paused or revoked grant of any scope of the operation refuses it', async () => {
    const { id } = (await create()).body;
    const [account] = app.serverIds;
    const installation = `/apps/${app.id}/servers/${account}/installation`;
    const set = (scope: string, state: string) => sandbox.manage('PUT', `${installation}/scopes/${scope}`, { state });
    expect((await set('orders:read', 'paused')).status).toBeLessThan(300);
    expect((await create()).status).toBe(403);
    expect((await get(`/shops/7/orders/${id}`)).status).toBe(403);
    expect((await get('/shops')).status).toBe(200);
  });

  test('values cannot break out of JSON or SQL, and change no prototype', async () => {
    const title = `'); delete from objects; --"\\u0000$1`;
    expect((await create({ title })).body.title).toBe(title);
    const polluted = await sandbox.call('/v1/shops/7/orders', key.token, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"title":"x","total":{"amount":1,"currency":"EUR"},"__proto__":{"status":"paid"}}`,
    });
    expect(polluted.status).toBe(400);
    const constructed = await send('POST', '/shops/7/orders', order({ constructor: { prototype: { a: 1 } } }));
    expect(constructed.status).toBe(400);
    expect((await get(`/shops/7/orders/${encodeURIComponent("ord_x' or '1'='1")}`)).status).toBe(404);
    expect((await create({ note: 'a\u0000b' })).status).toBe(400);
  });

  test('a body of more than 256 KiB is refused, and one of the largest size is stored alone', async () => {
    expect((await create({ note: 'x'.repeat(300_000) })).status).toBe(413);
    expect((await create({ note: 'x'.repeat(201) })).status).toBe(400);
  });
});

describe('triggers', () => {
  const trigger = (type: string, objectId?: string) =>
    sandbox.manage<{ type: string; data: Order } & Problem>('POST', `/apps/${app.id}/world/events`, {
      type,
      ...(objectId !== undefined && { objectId }),
    });

  test('a trigger makes the change that its event reports', async () => {
    const created = await trigger('order.created');
    expect([created.status, created.body.type]).toEqual([201, 'order.created']);
    const path = `/shops/${created.body.data.shop_id}/orders/${created.body.data.id}`;
    expect((await get(path)).body).toEqual(created.body.data);
    const paid = await trigger('order.paid');
    expect(paid.body.data.status).toBe('paid');
    const deleted = await trigger('order.deleted');
    const gone = deleted.body.data;
    expect((await get(`/shops/${gone.shop_id}/orders/${gone.id}`)).status).toBe(404);
    expect((await trigger('ping')).status).toBe(201);
  });

  test('a trigger without a suitable object is refused with the reason', async () => {
    await sandbox.manage('POST', `/apps/${app.id}/world/reset`, { preset: 'empty' });
    expect((await trigger('order.paid')).body.detail).toBe(
      'The world has no order: reset it to a preset that has some.',
    );
  });
});

describe('handlers', () => {
  const failed = (error: unknown): void => {
    throw error;
  };
  const due = () => sandbox.database.superuser.query('update objects set due_at = now() where due_at is not null');

  test('handlers change new objects and objects that are due, and emit an event', async () => {
    const created = await create({ title: 'Gift' });
    const path = `/shops/7/orders/${created.body.id}`;
    expect(created.body.note).toBe('A gift of Corner');
    await due();
    await advanceDueObjects(sandbox.worker, sandbox.plane, failed);
    expect((await get(path)).body).toMatchObject({ status: 'paid', note: 'Paid in attempt 1 at Corner' });
    await advanceDueObjects(sandbox.worker, sandbox.plane, failed);
    const own = await eventsOf(created.body.id, 2);
    expect(own.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['order.created', 1],
      ['order.paid', 2],
    ]);
    expect(JSON.stringify(created.body)).not.toContain('attempts');
  });

  test('a handler refuses a request with a problem', async () => {
    expect((await create({ title: 'Refused' })).body).toMatchObject({ code: 'conflict', detail: 'Corner is closed.' });
  });
});
