// Requests without an authenticated key are in no app's records. Each is in the operators' table or, above the limit of
// its address, in a count. The address is kept only as far as the operator allows.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { computeVerifier, newKeyToken, signConsoleAssertion } from '../../access/authority/index.ts';
import { openPlane, type PlaneOptions } from '../../boot/plane.ts';
import { firstUuidAt, fromId, msOfUuid } from '../../kit/crypto/ids.ts';
import { createSandboxApi } from '../../listeners/sandbox-api.ts';
import { runHousekeeping } from '../../platform/housekeeping/index.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(() => sandbox.close());

const query = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, values)).rows as Row[];
const rowOf = (requestId: unknown) =>
  query('select * from unproved_requests where request_id = $1', [fromId('req', String(requestId))]);
const counted = async (): Promise<number> =>
  (await query<{ n: number }>('select coalesce(sum(requests), 0)::int as n from unproved_counts'))[0]?.n ?? 0;
const inApps = async (): Promise<number> =>
  (await query<{ n: number }>('select count(*)::int as n from request_records'))[0]?.n ?? 0;

/** Runs requests on another node of the same database, whose address limits are unused. */
async function onNode<T>(
  changes: Partial<PlaneOptions>,
  run: (get: (path: string, headers?: Record<string, string>) => Promise<Record<string, unknown>>) => Promise<T>,
  trustedProxies: string[] = [],
): Promise<T> {
  const open = openPlane({ ...sandbox.options, ...changes });
  const api = createSandboxApi(open.plane, { recorder: open.recorder, trustedProxies, onInternalError: () => {} });
  try {
    return await run(async (url, headers = {}) => (await api.inject({ url, headers })).headers);
  } finally {
    await api.close();
    await open.close();
  }
}

/** Sends the bytes unchanged and returns the identifier of the response. */
async function send(text: string): Promise<string | undefined> {
  const { hostname, port } = new URL(sandbox.apiUrl);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return /request-id: (\S+)/i.exec(Buffer.concat(chunks).toString('latin1'))?.[1];
}

describe('a request without an authenticated key is in no app’s records, and in the operators’ table before its response', () => {
  const wrong = (): string => token.slice(0, 30) + (token[30] === 'a' ? 'b' : 'a') + token.slice(31);
  const CASES: [string, () => Promise<unknown>, Record<string, unknown>][] = [
    [
      'a request without a key',
      () => call('/v1/servers'),
      { status: 401, problem_code: 'missing_key', operation_id: 'listServers' },
    ],
    ['nonsense', () => call('/v1/servers?a=b', 'nonsense'), { problem_code: 'invalid_key', path: '/v1/servers' }],
    [
      'a wrong secret',
      () => call('/v1/servers', wrong()),
      { problem_code: 'invalid_key', client_address: '127.0.0.1' },
    ],
    ['a key of another environment', () => call('/v1/me', newKeyToken('production').token), { status: 401 }],
    ['an unknown path', () => call('/v1/nothing'), { status: 404, problem_code: 'not_found', path: '/v1/*' }],
    ['another method', () => call('/v1/servers', wrong(), { method: 'DELETE' }), { status: 405, method: 'DELETE' }],
    ['an operation that needs no key', () => call('/v1/openapi.json', token), { status: 200, problem_code: null }],
    ['a malformed path', () => call('/v1/%zz', wrong()), { status: 400, path: '/v1/*', method: 'GET' }],
    ['a URL that is too long', () => call(`/v1/me?${'a'.repeat(9_000)}`), { problem_code: 'uri_too_long' }],
    [
      'an unregistered method, with a valid key that was not read',
      () => send(`BREW /v1/me HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`),
      { status: 400, method: null, path: null },
    ],
    [
      'text that is not HTTP',
      () => send('nonsense\r\n\r\n'),
      { status: 400, method: null, client_address: '127.0.0.1' },
    ],
    ['too many headers', () => send(`GET / HTTP/1.1\r\na: ${'a'.repeat(20_000)}\r\n\r\n`), { status: 431 }],
  ];
  const call = async (path: string, key?: string, init?: RequestInit): Promise<unknown> =>
    (await sandbox.call(path, key, init)).headers.get('request-id');

  test.each(CASES)('%s is in the operators’ table', async (_, request, expected) => {
    const before = await inApps();
    expect(await rowOf(await request())).toEqual([expect.objectContaining(expected)]);
    expect(await inApps()).toBe(before);
  });

  test('a request with a correct public half and a wrong secret is in the operators’ table', async () => {
    const made = newKeyToken('sandbox');
    const other = computeVerifier(
      newKeyToken('sandbox').token,
      sandbox.options.peppers.keys[1] ?? { reveal: () => '' },
    );
    await query(
      `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
       values ($1, gen_random_uuid(), $2, $3, 1, 'k', '{servers:read}', 't', now(), now() + interval '1 day')`,
      [fromId('app', app.id), made.kid, other],
    );
    const before = await inApps();
    expect(await rowOf(await call('/v1/servers', made.token))).toMatchObject([{ problem_code: 'invalid_key' }]);
    expect(await inApps()).toBe(before);
  });
});

test('requests above the limit of an address are counted exactly and not kept singly', async () => {
  const FLOOD = 120;
  await query('delete from unproved_requests');
  const before = await counted();
  await onNode({}, (get) => Promise.all(Array.from({ length: FLOOD }, () => get('/v1/servers'))));
  const kept = (await query('select from unproved_requests')).length;
  expect(kept).toBeGreaterThanOrEqual(30);
  expect(kept).toBeLessThan(40);
  expect((await counted()) - before).toBe(FLOOD - kept);
  const [row] = await query('select network, problem_code from unproved_counts order by last_at desc limit 1');
  expect(row).toEqual({ network: '127.0.0.0/24', problem_code: 'missing_key' });
});

test('a request that cannot be kept is answered, and the loss is counted', async () => {
  await query('begin');
  await query('lock table unproved_requests, unproved_counts in access exclusive mode');
  const lost = sandbox.recorder.lost();
  expect((await sandbox.call('/v1/servers')).status).toBe(401);
  await query('rollback');
  expect(sandbox.recorder.lost()).toBe(lost + 1);
});

describe('client addresses are kept as configured', () => {
  const addressOf = (clientAddresses: 'whole' | 'network' | 'none', forwarded: string) =>
    onNode(
      { clientAddresses },
      async (get) => {
        const bare = await get('/v1/me', { 'x-forwarded-for': forwarded });
        const withKey = await get('/v1/me', { 'x-forwarded-for': forwarded, authorization: `Bearer ${token}` });
        const [row] = await query('select client_address from request_records where request_id = $1', [
          fromId('req', String(withKey['request-id'])),
        ]);
        return [(await rowOf(bare['request-id']))[0]?.client_address, row?.client_address];
      },
      ['127.0.0.1'],
    );
  test.each([
    ['whole', '203.0.113.77', '203.0.113.77'],
    ['network', '203.0.113.77', '203.0.113.0/24'],
    ['network', '2001:db8:1:2:3::4', '2001:db8:1::/48'],
    ['none', '203.0.113.77', null],
    // An invalid entry ends the chain: the caller is the proxy that sent it.
    ['whole', 'not-an-address', '127.0.0.1'],
    ['whole', 'fe80::1%text', 'fe80::1'],
  ] as const)('with the setting %s the address %s is kept as %s', async (keeping, forwarded, kept) => {
    expect(await addressOf(keeping, forwarded)).toEqual([kept, kept]);
  });

  test('the last use of a key keeps no more of the address than the setting allows', async () => {
    await query('delete from key_uses');
    await addressOf('network', '203.0.113.77');
    expect(await query('select client_address from key_uses')).toEqual([{ client_address: '203.0.113.0/24' }]);
  });
});

test('the list states since when requests without an authenticated key are stored', async () => {
  const DAY_MS = 86_400_000;
  await query('delete from unproved_requests');
  const sinceMs = async () => {
    const assertion = await signConsoleAssertion('sandbox', sandbox.options.managementKey);
    const headers = { authorization: `Bearer ${assertion}` };
    const { body } = await ask<{ since: string }>(`${sandbox.managementUrl}/console/unproved-requests`, { headers });
    return Date.parse(body.since);
  };
  const dayAgo = (days: number) => Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS;
  // Retention of 30 days keeps the day that is partly younger.
  const [from, to] = [30, 29].map((days) => firstUuidAt(dayAgo(days)));
  await query(`create table request_records_30 partition of request_records for values from ('${from}') to ('${to}')`);
  expect(Math.abs(Date.now() - 30 * DAY_MS - (await sinceMs()))).toBeLessThan(60_000);
  await query('drop table request_records_30'); // as housekeeping does after a shorter retention
  // Nothing was deleted on the first day, so the requests go back to the start of the oldest partition.
  const [oldest] = await query<{ id: string }>(
    "select lower_bound as id from partition_bounds('request_records') order by lower_bound limit 1",
  );
  const first = await sinceMs();
  expect(first).toBe(msOfUuid(oldest?.id ?? ''));
  const youngest = Date.now() - first;
  expect(youngest).toBeGreaterThanOrEqual(0);
  expect(youngest).toBeLessThan(DAY_MS);
  const at = new Date(dayAgo(3));
  await query(
    `insert into unproved_requests (request_id, at, duration_us, status) values (uuid_floor($1), $1, 1, 401)`,
    [at],
  );
  expect(await sinceMs()).toBe(at.getTime());
});

test('requests without an authenticated key are removed after their retention', async () => {
  const old = "now() - interval '31 days'";
  await query(
    `insert into unproved_requests (request_id, at, duration_us, status) values (uuid_floor(${old}), ${old}, 1, 401)`,
  );
  await query(`insert into unproved_counts values (${old}, '', '', 1, ${old}, ${old})`);
  await query(`insert into record_gaps values ($1, ${old}, 1)`, [fromId('app', app.id)]);
  await runHousekeeping(sandbox.worker);
  const expiredRows = await query(
    `select from unproved_requests where at < now() - interval '30 days' union all
     select from unproved_counts where hour < now() - interval '30 days' union all
     select from record_gaps where minute < now() - interval '30 days'`,
  );
  expect(expiredRows.length).toBe(0);
  expect((await query('select from unproved_requests')).length).toBeGreaterThan(0);
});
