// Production with bodies that contain the object in a field, such as `{"plant": …}`.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from './app.ts';
import type { OwnProduction } from './own-contract-production.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/nursery', import.meta.url).pathname;
});
const { json } = await import('./app.ts');
const { startOwnProduction } = await import('./own-contract-production.fixture.ts');

interface Body {
  plant: { id: number; name: string };
  code?: string;
  errors?: { pointer: string }[];
}

let own: OwnProduction;
let token: string;
beforeAll(async () => {
  own = await startOwnProduction();
  const app = await own.production.newApp();
  token = (await app.key()).token;
  expect((await own.grant(app, 'account')).status).toBe(200);
});
afterAll(async () => {
  await own.close();
  expect(own.production.errors).toEqual([]);
});
beforeEach(() => {
  own.upstream.change = undefined;
});

const send = (method: string, path: string, body: unknown, type = 'application/json'): Promise<Answer<Body>> =>
  own.production.call<Body>(`/v1${path}`, token, { ...json(body), method, headers: { 'content-type': type } });
const sentBody = (): unknown => JSON.parse(own.upstream.requests.at(-1)?.body ?? '');

test('a creation, a replacement and a change send the body as it is, and return the object', async () => {
  const given = { plant: { kind: 'herb', name: 'Mint' } };
  const made = await send('POST', '/plants', given);
  expect([made.status, made.body.plant]).toMatchObject([201, { id: expect.any(Number), name: 'Mint' }]);
  expect(sentBody()).toEqual(given);
  const path = `/plants/${made.body.plant.id}`;
  expect((await send('PATCH', path, { plant: { name: 'Balm' } })).body.plant.name).toBe('Balm');
  expect((await send('PUT', path, { plant: { kind: 'herb', name: 'Sage' } })).body.plant.name).toBe('Sage');
  expect(sentBody()).toEqual({ plant: { kind: 'herb', name: 'Sage' } });
});

test('a body that names another object than the path is refused with its pointer, and is not sent', async () => {
  const { id } = (await send('POST', '/plants', { plant: { kind: 'herb', name: 'Mint' } })).body.plant;
  const type = 'application/vnd.api+json';
  const same = await send('PATCH', `/merged/${id}`, { data: { id, name: 'Balm' } }, type);
  expect([same.status, own.upstream.requests.at(-1)?.headers['content-type']]).toEqual([200, type]);
  const before = own.upstream.requests.length;
  const other = await send('PATCH', `/merged/${id}`, { data: { id: id + 1 } }, type);
  expect([other.status, other.body.errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/data/id']]);
  expect(own.upstream.requests.length).toBe(before);
});

test('a refusal of the upstream API is returned with its pointers and without its texts', async () => {
  own.upstream.change = () => ({ status: 422, body: { errors: [{ pointer: '/plant/name', detail: 'SECRET' }] } });
  const { status, body, text } = await send('POST', '/plants', { plant: { kind: 'herb', name: 'Mint' } });
  expect([status, body.code, body.errors?.map(({ pointer }) => pointer)]).toEqual([
    400,
    'invalid_request',
    ['/plant/name'],
  ]);
  expect(text).not.toContain('SECRET');
});

test('a response about another object becomes upstream_invalid', async () => {
  const { id } = (await send('POST', '/plants', { plant: { kind: 'herb', name: 'Mint' } })).body.plant;
  own.upstream.change = (answer) => {
    const { plant } = Object(answer.body);
    return { ...answer, body: { plant: { ...plant, id: id + 1 } } };
  };
  expect((await send('PATCH', `/plants/${id}`, { plant: { name: 'Balm' } })).body.code).toBe('upstream_invalid');
});
