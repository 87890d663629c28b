// The fields around the content of responses in production: those of the upstream API that fit the contract, with the
// addresses of Slipway, and without numbers of objects that grants withhold.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Answer, json } from './app.ts';
import type { OwnProduction } from './own-contract-production.fixture.ts';
import type { LiveApp } from './production.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/depot', import.meta.url).pathname;
});
const { startOwnProduction } = await import('./own-contract-production.fixture.ts');

interface Body {
  code?: string;
  data: { yard_id: number }[];
}

let own: OwnProduction;
let app: LiveApp;
let token: string;
beforeAll(async () => {
  own = await startOwnProduction();
  for (const yard of [1, 2]) {
    const parent = own.upstream.add('yard', { id: yard, name: `Yard ${yard}` });
    for (const number of [1, 2]) own.upstream.add('crate', { id: yard * 10 + number }, parent);
  }
});
afterAll(async () => {
  await own.close();
  expect(own.production.errors).toEqual([]);
});
beforeEach(async () => {
  own.upstream.change = undefined;
  app = await own.production.newApp();
  token = (await app.key()).token;
  for (const target of ['account', 'grantors/1']) expect((await own.grant(app, target)).status).toBe(200);
});

const get = (path: string): Promise<Answer<Body>> => own.production.call<Body>(`/v1${path}`, token);
/** Adds fields to the answers of the upstream API. */
const answerWith = (around: object): void => {
  own.upstream.change = (answer) => ({ ...answer, body: { ...Object(answer.body), ...around } });
};
const links = { self: 'http://up/1', first: 'http://up/1', previous: null, next: 'http://up/2', last: 'http://up/9' };

test('a list of a granting object has the declared fields of the upstream API, and no others', async () => {
  const pagination = { total: 4711, has_more: true, secret: 'SECRET' };
  answerWith({ meta: { pagination, secret: 'SECRET' }, secret: 'SECRET' });
  const { body } = await get('/yards/1/crates');
  expect(body).toEqual({
    items: [expect.objectContaining({ id: 12 }), expect.objectContaining({ id: 11 })],
    meta: { pagination: { total: 4711, has_more: true } },
  });
});

test('a list that the upstream API does not end with null has a cursor of Slipway, and none after the last page', async () => {
  answerWith({ meta: { pagination: { total: 2, has_more: true, cursor: 'secret-position' } } });
  const { body, text } = await get('/yards/1/crates');
  expect(body).toMatchObject({ meta: { pagination: { cursor: expect.stringMatching(/^[\w-]{20,}$/) } } });
  expect(text).not.toContain('secret-position');
});

test.each([
  ['lacks a required field', { meta: { pagination: { total: 2 } } }],
  ['has a field that does not fit', { meta: { pagination: { total: 'many', has_more: false } } }],
  ['lacks the fields around the content', {}],
])('a response that %s is refused', async (_, around) => {
  answerWith(around);
  const { status, body } = await get('/yards/1/crates');
  expect([status, body.code]).toEqual([502, 'upstream_invalid']);
});

test('a list of several granting objects has the addresses of Slipway, and no numbers of withheld objects', async () => {
  const meta = { total: 4, pages: 2, page: 1, per_page: 4, in_page: 4 };
  answerWith({ object: 'list', meta, links });
  const { body } = await get('/crates');
  expect(body.data.map(({ yard_id: yard }) => yard)).toEqual([1, 1]);
  expect(body).toMatchObject({
    meta: { page: 1, per_page: 4, in_page: 2 },
    links: {
      self: 'http://production.test/v1/crates',
      first: 'http://production.test/v1/crates',
      previous: null,
      next: 'http://production.test/v1/crates?page=2',
      last: null,
    },
  });
  expect(Reflect.get(body, 'meta')).not.toHaveProperty('total');
  expect(Reflect.get(body, 'meta')).not.toHaveProperty('pages');
});

test('a search has the addresses of Slipway, and none of pages that it does not know', async () => {
  const meta = { total: 1, page: 1, per_page: 4 };
  const data = [{ id: 11, yard_id: 1, name: 'Tea', kind: 'dry' }];
  own.upstream.change = () => ({ status: 200, body: { object: 'list', data, meta, links } });
  const post = json({ kind: 'dry' });
  const { body, text } = await own.production.call<Body>('/v1/yards/1/crates/find', token, post);
  const url = 'http://production.test/v1/yards/1/crates/find';
  expect(body).toMatchObject({ data, meta, links: { self: url, first: url, previous: null, next: null, last: null } });
  expect(text).not.toContain('http://up/');
});

test('an optional field that the upstream API leaves out is left out, and a required one is refused', async () => {
  const around = { object: 'list', meta: { page: 1, per_page: 4 }, links };
  answerWith(around);
  const { body } = await get('/crates');
  expect(body).toMatchObject({ meta: { page: 1, per_page: 4 } });
  expect(Reflect.get(body, 'meta')).not.toHaveProperty('in_page');
  const { next: _, ...others } = links;
  answerWith({ ...around, links: others });
  expect((await get('/crates')).body.code).toBe('upstream_invalid');
});

test('an object has the declared fields around it, which must fit', async () => {
  answerWith({ version: 2, region: 'US', secret: 'SECRET' });
  expect((await get('/yards/1')).body).toEqual({ yard: { id: 1, name: 'Yard 1' }, version: 2, region: 'US' });
  answerWith({ version: 3 });
  expect((await get('/yards/1')).body.code).toBe('upstream_invalid');
});
