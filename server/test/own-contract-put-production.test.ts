// Objects that a PUT creates, in production with a contract of an operator: both statuses of the upstream API.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from './app.ts';
import type { OwnProduction } from './own-contract-production.fixture.ts';
import type { LiveApp } from './production.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/harbour', import.meta.url).pathname;
});
const { json } = await import('./app.ts');
const { startOwnProduction } = await import('./own-contract-production.fixture.ts');

type Body = Record<string, unknown>;

let own: OwnProduction;
let app: LiveApp;
let token: string;
beforeAll(async () => {
  own = await startOwnProduction();
  own.upstream.add('harbour', { code: 'AA', name: 'East' });
  own.upstream.add('harbour', { code: 'BB', name: 'West' });
});
afterAll(async () => {
  await own.close();
  expect(own.production.errors).toEqual([]);
});
beforeEach(async () => {
  own.upstream.change = undefined;
  app = await own.production.newApp();
  token = (await app.key()).token;
  await own.grant(app, 'account');
  await own.grant(app, 'grantors/AA');
});

const put = (path: string, body: unknown, headers = {}): Promise<Answer<Body>> =>
  own.production.call<Body>(`/v1${path}`, token, {
    ...json(body),
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
  });

test('the response of a creation has its own status and Location, and that of a replacement has no Location', async () => {
  const made = await put('/beacons/fog', { name: 'Fog' });
  expect([made.status, made.body]).toEqual([201, { id: 'fog', name: 'Fog' }]);
  expect(made.headers.get('location')).toBe('http://production.test/v1/beacons/fog');
  const replaced = await put('/beacons/fog', { name: 'Mist' });
  expect([replaced.status, replaced.body]).toEqual([200, { id: 'fog', name: 'Mist' }]);
  expect(replaced.headers.get('location')).toBeNull();
});

test('the content of a creation and of a replacement can differ', async () => {
  await put('/beacons/log', { name: 'Log' });
  const made = await put('/beacons/log/lamps/red', { power: 5 });
  expect([made.status, made.body]).toEqual([201, { colour: 'red', beacon: 'log', power: 5 }]);
  const replaced = await put('/beacons/log/lamps/red', { power: 7 });
  expect([replaced.status, replaced.text]).toEqual([204, '']);
});

test('the object in the path above a new object grants the creation', async () => {
  expect((await put('/harbours/AA/berths/5', { name: 'Long' })).status).toBe(201);
  const before = own.upstream.requests.length;
  expect((await put('/harbours/BB/berths/6', { name: 'Long' })).status).toBe(404);
  expect((await put('/harbours/AA/berths/10', { name: 'Long' })).status).toBe(404);
  expect(own.upstream.requests.length).toBe(before);
});

test('a repeat under the same Idempotency-Key has the stored response of the creation', async () => {
  const headers = { 'idempotency-key': 'put-1' };
  const first = await put('/beacons/sea', { name: 'Sea' }, headers);
  const second = await put('/beacons/sea', { name: 'Sea' }, headers);
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
  expect(second.body).toEqual(first.body);
});

test.each([
  ['another status', 202, { id: 'bay', name: 'Bay' }],
  ['a creation of another object', 201, { id: 'sea', name: 'Bay' }],
  ['a creation without content', 201, undefined],
])('a response with %s is refused', async (_, status, body) => {
  own.upstream.change = () => ({ status, ...(body && { body }) });
  const answer = await put('/beacons/bay', { name: 'Bay' });
  expect([answer.status, answer.body.code]).toEqual([502, 'upstream_invalid']);
});
