// Signing secrets are revealed to signed-in persons only, and audited. A rotation has an overlap during which both
// secrets verify; the old secret is erased after it. A copy of the whole database opens none of them.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { contentsOf } from '../../../test/database-contents.ts';
import { until } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { type Actor, ROLES, type Role, signAssertion } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { type MasterKeys, unseal } from '../../kit/crypto/seal.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { createOutboundClient, type OutboundClient } from '../../kit/outbound/outbound.ts';
import { type Dispatcher, startDispatcher } from '../dispatch/index.ts';
import { secretBinding } from './endpoint.ts';
import { type ReceivedRequest, startHookReceiver, verifiesWith } from './hook-receiver.fixture.ts';
import { listSigningSecrets } from './index.ts';
import { erasePreviousSecrets } from './secret-store.ts';

const HEADER = 'Bearer token of the receiver, 4711';
const newKey = () => randomBytes(32).toString('base64');
const master = newKey();
const masterKeys: MasterKeys = { current: 'm1', keys: { m1: secret(master) } };
let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof startHookReceiver>>;
let outbound: OutboundClient;
let dispatcher: Dispatcher;
let app: TestApp;
let keyId: string;
let endpoint: string;
let first: string;

beforeAll(async () => {
  receiver = await startHookReceiver();
  sandbox = await startSandbox({ webhookAllowHosts: [receiver.host], masterKeys });
  outbound = createOutboundClient({ allowHosts: [receiver.host] });
  dispatcher = await startDispatcher({
    environment: 'sandbox',
    db: sandbox.dispatch,
    outbound,
    masterKeys,
    log: () => {},
  });
  app = await sandbox.newApp();
  keyId = (await app.key()).id;
});
beforeEach(async () => {
  const { body } = await sandbox.manage<{ endpoint: { id: string }; signingSecret: string }>(
    'POST',
    `/apps/${app.id}/endpoints`,
    { url: receiver.url, keyId, eventTypes: ['ping'], headers: { authorization: HEADER } },
  );
  endpoint = body.endpoint.id;
  first = body.signingSecret;
});
afterAll(async () => {
  await dispatcher.stop();
  await outbound.close();
  await sandbox.close();
  receiver.close();
});

interface SigningSecretBody {
  signingSecret: string;
  rotatedAt: string | null;
  previousEndsAt: string | null;
  code: string;
  verifies: boolean;
  findings: { mistake: string; endpointId: string | null }[];
}
const manageEndpoint = (method: string, path: string, body?: unknown, role: Role = 'owner') =>
  sandbox.manage<SigningSecretBody>(method, `/apps/${app.id}/endpoints/${endpoint}${path}`, body, { role });
const rotate = (body: object = {}) => manageEndpoint('POST', '/secret/rotate', body);
const query = async <Row>(text: string): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, [fromId('whe', endpoint)])).rows as Row[];
const audited = async (): Promise<string[]> =>
  (
    await sandbox.database.superuser.query(
      "select actor || ' ' || action as line from audit_entries where target = $1 and action like 'signing%' order by sequence",
      [endpoint],
    )
  ).rows.map(({ line }) => line);

/** Returns the next delivery to this endpoint, after it disabled all others. */
async function delivered(): Promise<ReceivedRequest> {
  await query("update endpoints set state = 'disabled' where endpoint_id <> $1");
  const before = receiver.received.length;
  await sandbox.manage('POST', `/apps/${app.id}/world/events`, { type: 'ping' });
  dispatcher.wake();
  return until(() => receiver.received[before]);
}
describe('a signing secret', () => {
  test('a signing secret is revealed as created, in a response that is not cached, with an audit entry', async () => {
    const answer = await manageEndpoint('POST', '/secret/reveal', undefined, 'developer');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.body).toEqual({ signingSecret: first, rotatedAt: null, previousEndsAt: null });
    expect(await audited()).toEqual(['tester@example.org signing_secret.reveal']);
  });

  test('a signing secret is revealed to no access token, and to no role that may not change endpoints', async () => {
    const codeOfReveal = async (kind: Actor['kind'], role: Role): Promise<unknown> => {
      const { organisationId } = sandbox;
      const actor: Actor = { kind, personId: 'p', tokenId: 'pat', name: 'p', organisationId, role, address: null };
      const assertion = await signAssertion(actor, 'sandbox', sandbox.options.managementKey);
      const path = `/organisations/${toId('org', organisationId)}/apps/${app.id}/endpoints/${endpoint}/secret/reveal`;
      const headers = { authorization: `Bearer ${assertion}` };
      const answer = await fetch(sandbox.managementUrl + path, { method: 'POST', headers });
      const body = (await answer.json()) as Partial<SigningSecretBody>; // the secret, or a problem
      return body.code ?? (body.signingSecret === first ? 'shown' : body);
    };
    const answers: Record<string, unknown> = {};
    for (const role of ROLES) answers[role] = [await codeOfReveal('token', role), await codeOfReveal('person', role)];
    expect(answers).toEqual({
      owner: ['access_token_not_allowed', 'shown'],
      admin: ['access_token_not_allowed', 'shown'],
      developer: ['access_token_not_allowed', 'shown'],
      auditor: ['role_not_allowed', 'role_not_allowed'],
      viewer: ['role_not_allowed', 'role_not_allowed'],
    });
    expect(await audited()).toHaveLength(3);
  });
});

describe('a rotation', () => {
  test('a rotation returns a new secret, and deliveries verify with either secret for a day', async () => {
    const { status, body, headers } = await rotate();
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body.signingSecret).not.toBe(first);
    const overlap = Date.parse(body.previousEndsAt ?? '') - Date.parse(body.rotatedAt ?? '');
    expect(overlap).toBe(24 * 3_600_000);
    const message = await delivered();
    expect(message.headers['webhook-signature']?.toString().split(' ')).toHaveLength(2);
    expect([first, body.signingSecret].map((one) => verifiesWith(one, message))).toEqual([true, true]);
    expect((await manageEndpoint('POST', '/secret/reveal')).body).toEqual(body);
    const { rotatedAt: secretRotatedAt, previousEndsAt: previousSecretEndsAt } = body;
    expect((await manageEndpoint('GET', '')).body).toMatchObject({ secretRotatedAt, previousSecretEndsAt });
    expect((await listSigningSecrets(sandbox.worker, [receiver.url], masterKeys)).map((one) => one.reveal())).toEqual(
      expect.arrayContaining([first, body.signingSecret]),
    );
  });

  test('a rotation without overlap immediately ends every earlier secret', async () => {
    const second = (await rotate({ overlapHours: 168 })).body.signingSecret;
    const third = (await rotate({ overlapHours: 0 })).body.signingSecret;
    const message = await delivered();
    expect([first, second, third].map((one) => verifiesWith(one, message))).toEqual([false, false, true]);
    expect(await query('select sealed_previous_secret as kept from endpoints where endpoint_id = $1')).toEqual([
      { kept: null },
    ]);
    expect(await audited()).toHaveLength(2);
  });

  test('a rotation during an overlap is refused until that overlap is ended, and ending it twice changes nothing', async () => {
    const second = (await rotate({ overlapHours: 1 })).body.signingSecret;
    expect((await rotate({ overlapHours: 1 })).body.code).toBe('conflict');
    expect((await manageEndpoint('DELETE', '/secret/previous')).status).toBe(204);
    const message = await delivered();
    expect([first, second].map((one) => verifiesWith(one, message))).toEqual([false, true]);
    expect((await manageEndpoint('DELETE', '/secret/previous')).status).toBe(204);
    expect((await rotate({ overlapHours: 1 })).status).toBe(200);
    expect((await audited()).map((line) => line.split('.').at(-1))).toEqual(['rotate', 'end_overlap', 'rotate']);
  });

  test('an overlap of more than a week is refused, also by the database', async () => {
    expect((await rotate({ overlapHours: 169 })).status).toBe(400);
    const longer = query(`update endpoints set secret_rotated_at = now(), previous_secret_ends_at = now() + interval
      '7 days 1 second' where endpoint_id = $1`);
    await expect(longer).rejects.toMatchObject({ code: '23514' });
  });

  test('two concurrent rotations leave at most two secrets', async () => {
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await query('select from endpoints where endpoint_id = $1 for update');
    const rotations = Promise.all([rotate(), rotate(), rotate()]);
    await untilLocksWaited(superuser, 3);
    await superuser.query('commit');
    const answers = await rotations;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('an overlap ends by the database’s clock, after which the old secret signs nothing and is erased', async () => {
    const { signingSecret } = (await rotate({ overlapHours: 1 })).body;
    const kept = 'select sealed_previous_secret is not null as kept from endpoints where endpoint_id = $1';
    await erasePreviousSecrets(sandbox.worker, 10);
    expect(await query(kept)).toEqual([{ kept: true }]);
    await query(`update endpoints set secret_rotated_at = now() - interval '2 hours',
      previous_secret_ends_at = now() - interval '1 second' where endpoint_id = $1`);
    const message = await delivered();
    expect([first, signingSecret].map((one) => verifiesWith(one, message))).toEqual([false, true]);
    const secrets = await listSigningSecrets(sandbox.worker, [receiver.url], masterKeys);
    expect(secrets.map((one) => one.reveal())).not.toContain(first);
    await erasePreviousSecrets(sandbox.worker, 10);
    expect(await query(kept)).toEqual([{ kept: false }]);
  });
});

test('the diagnosis knows the sent event, the endpoint’s secrets, and those of the app’s other endpoints', async () => {
  const message = await delivered();
  const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
  const diagnose = async (body: Buffer, changes: object = {}, of = endpoint) => {
    const given = { bodyBase64: body.toString('base64'), headers, ...changes };
    const path = `/apps/${app.id}/endpoints/${of}/diagnose-signature`;
    const { body: answer } = await sandbox.manage<SigningSecretBody>('POST', path, given, { role: 'viewer' });
    return [answer.verifies, ...answer.findings.map(({ mistake, endpointId }) => [mistake, endpointId])];
  };
  expect(await diagnose(message.body, { receivedAt: new Date().toISOString() })).toEqual([true]);
  const reversed = Object.fromEntries(Object.entries(JSON.parse(message.body.toString())).reverse());
  expect(await diagnose(Buffer.from(JSON.stringify(reversed)))).toEqual([false, ['body_reserialised', null]]);
  expect(await diagnose(message.body, { receivedAt: '2020-01-01T00:00:00Z' })).toEqual([
    false,
    ['clock_outside_tolerance', null],
  ]);
  const input = { url: receiver.url, keyId, eventTypes: ['ping'] };
  const other = await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, input);
  expect(await diagnose(message.body, {}, other.body.endpoint.id)).toEqual([
    false,
    ['another_endpoints_secret', endpoint],
  ]);
  await rotate({ overlapHours: 1 });
  expect(await diagnose(message.body)).toEqual([false, ['older_secret', null]]);
  await manageEndpoint('DELETE', '/secret/previous');
  expect(await diagnose(message.body)).toEqual([false, ['unknown_secret', null]]);
});

test('a copy of the whole database contains no secret, and opens none without the master key', async () => {
  const second = (await rotate()).body.signingSecret;
  await manageEndpoint('POST', '/secret/reveal');
  await delivered();
  const dump = await contentsOf(sandbox.database.superuser);
  const bytes = [first, second].map((text) => Buffer.from(text.slice('whsec_'.length), 'base64'));
  const hidden = [
    ...bytes,
    Buffer.from(master, 'base64'),
    Buffer.from(master),
    ...[first, second, HEADER].map((one) => Buffer.from(one)),
  ];
  for (const one of hidden) {
    for (const spelling of [one.toString('latin1'), one.toString('hex'), one.toString('base64').replaceAll('=', '')]) {
      expect(dump.includes(spelling)).toBe(false);
    }
  }
  const [row] = await query<{ sealed_secret: Buffer; sealed_previous_secret: Buffer }>(
    'select sealed_secret, sealed_previous_secret from endpoints where endpoint_id = $1',
  );
  const binding = secretBinding(fromId('whe', endpoint) ?? '');
  const sealed = [row?.sealed_previous_secret, row?.sealed_secret].map((one) => one ?? Buffer.alloc(0));
  expect(sealed.map((one) => dump.includes(one.toString('hex')))).toEqual([true, true]);
  expect(sealed.map((one) => unseal(one, binding, masterKeys).reveal())).toEqual([first, second]);
  // No 32 bytes in the copy are the key.
  const guesses = [...dump.matchAll(/[0-9a-f]{64}/g)].map(([hex]) => Buffer.from(hex, 'hex').toString('base64'));
  for (const guess of [newKey(), Buffer.alloc(32).toString('base64'), ...new Set(guesses)]) {
    for (const one of sealed) {
      expect(() => unseal(one, binding, { current: 'm1', keys: { m1: secret(guess) } })).toThrow('cannot be opened');
    }
  }
});
