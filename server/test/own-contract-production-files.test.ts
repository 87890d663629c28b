// Production with a contract whose changes return files: their bytes, and the stored responses of repeated changes.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { OwnProduction } from './own-contract-production.fixture.ts';
import type { LiveApp } from './production.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/spaces', import.meta.url).pathname;
});
const { startOwnProduction } = await import('./own-contract-production.fixture.ts');

let own: OwnProduction;
let app: LiveApp;
let token: string;
beforeAll(async () => {
  own = await startOwnProduction();
  const space = own.upstream.add('space', { id: 1, name: 'Harbour' });
  for (const id of [11, 12]) own.upstream.add('task', { id, name: 'Tea' }, space);
  app = await own.production.newApp();
  token = (await app.key()).token;
  expect((await own.grant(app, 'grantors/1')).status).toBe(200);
});
afterAll(async () => {
  await own.close();
  expect(own.production.errors).toEqual([]);
});
beforeEach(() => {
  own.upstream.change = undefined;
});

interface PrintResponse {
  status: number;
  type: string | null;
  isReplayed: boolean;
  body: Buffer;
}

async function print(idempotencyKey?: string, accept = '*/*', task = 11): Promise<PrintResponse> {
  const response = await fetch(`${own.production.apiUrl}/v1/tasks/${task}/print`, {
    method: 'POST',
    headers: { accept, authorization: `Bearer ${token}`, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
  });
  const { status, headers } = response;
  return {
    status,
    type: headers.get('content-type'),
    isReplayed: headers.get('idempotent-replayed') === 'true',
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** Replaces the responses of the upstream API to changes. */
function answerChanges(answer: { status?: number; type?: string; body: Buffer }): void {
  own.upstream.change = (given, { method }) => (method === 'GET' ? undefined : { ...given, ...answer });
}
const codeOf = ({ body }: PrintResponse): unknown => JSON.parse(body.toString()).code;
/** Prints, and returns whether the response has these bytes. The comparison of expect() takes seconds for millions. */
async function printed(body: Buffer, idempotencyKey?: string) {
  const response = await print(idempotencyKey);
  return { ...response, body: response.body.equals(body) };
}

test.each<[string, string, Buffer]>([
  ['bytes that are no text', 'application/pdf', Buffer.from([0x25, 0x50, 0xff, 0x00])],
  ['another of the declared types', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  ['64 KiB', 'image/png', randomBytes(65_536)],
  ['no bytes', 'application/pdf', Buffer.alloc(0)],
  ['bytes like a stored file', 'application/pdf', Buffer.from('data:image/png;base64,VGVh')],
])('a change returns a file of %s, and a repeat returns the stored one', async (what, type, body) => {
  answerChanges({ type, body });
  const first = { status: 200, type, isReplayed: false, body: true };
  expect(await printed(body)).toEqual(first);
  expect(own.upstream.requests.at(-1)?.headers.accept).toBe('application/pdf');
  expect(await printed(body, what)).toEqual(first);
  const before = own.upstream.requests.length;
  expect(await printed(body, what)).toEqual({ ...first, isReplayed: true });
  expect(own.upstream.requests.slice(before).map(({ method }) => method)).toEqual(['GET']);
});

test.each([
  ['3 MB', randomBytes(3_000_000)],
  ['one byte more than 64 KiB', randomBytes(65_537)],
])('a file of %s is not stored, and each repeat requests it from the upstream API under the same key', async (key, body) => {
  const posts = () => own.upstream.requests.filter(({ method }) => method === 'POST');
  const rows = async (): Promise<unknown> => {
    const stored = 'select count(*)::int as stored from idempotency_keys where app_id = $1';
    return (await own.production.database.superuser.query(stored, [app.uuid])).rows;
  };
  answerChanges({ type: 'image/png', body });
  const before = { posts: posts().length, rows: await rows() };
  const first = { status: 200, type: 'image/png', isReplayed: false, body: true };
  expect([await printed(body, key), await printed(body, key)]).toEqual([first, first]);
  expect(codeOf(await print(key, '*/*', 12))).toBe('idempotency_key_reused');
  answerChanges({ status: 500, body: Buffer.alloc(0) });
  expect((await print(key)).status).toBe(504);
  expect(own.production.errors.splice(0)).toHaveLength(1);
  answerChanges({ type: 'image/png', body });
  expect(await own.production.waitFor(app, '0')).toBeGreaterThan(0);
  expect(await printed(body, key)).toEqual(first);
  const keys = posts()
    .slice(before.posts)
    .map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
  expect(await rows()).toEqual(before.rows);
});

test('a change requests the type that the caller prefers from the upstream API', async () => {
  expect((await print(undefined, 'image/png')).status).toBe(200);
  expect(own.upstream.requests.at(-1)?.headers.accept).toBe('image/png');
});

test('a file has the declared type with its parameters, also if the upstream API sends others', async () => {
  const expected = { status: 200, type: 'text/csv; charset=utf-8' };
  for (const type of ['text/csv', 'TEXT/CSV;charset=UTF-8']) {
    answerChanges({ type, body: Buffer.from('Tea,2') });
    expect(await print(type, 'text/csv')).toMatchObject({ ...expected, isReplayed: false });
    expect(own.upstream.requests.at(-1)?.headers.accept).toBe('text/csv; charset=utf-8');
    expect(await print(type, 'text/csv')).toMatchObject({ ...expected, isReplayed: true });
  }
});

test('a file of another type, or above the declared size, becomes upstream_invalid', async () => {
  answerChanges({ type: 'text/html', body: Buffer.from('Tea') });
  expect(codeOf(await print())).toBe('upstream_invalid');
  answerChanges({ body: Buffer.alloc(4_000_001) });
  expect(codeOf(await print())).toBe('upstream_invalid');
});

test('a repeated change with a file is answered 404 after its object was deleted, because the file names no granting object', async () => {
  expect((await print('gone')).status).toBe(200);
  own.upstream.change = (_answer, { method }) => (method === 'GET' ? { status: 404 } : undefined);
  expect(await print('gone').then(({ status }) => status)).toBe(404);
});
