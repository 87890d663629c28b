// Each revocation has a signed receipt. Its numbers equal an independent count, and only its organisation can read it.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { createOutboundClient } from '../../kit/outbound/outbound.ts';
import { startDispatcher } from '../../webhooks/dispatch/index.ts';
import { createReceiptIssuer } from './receipt-issuer.ts';
import { type ReceiptContent, readJws, readReceipt } from './receipts.fixture.ts';
import { signInterruptedReceipts } from './sign-interrupted-receipts.job.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, values)).rows as Row[];
const revokeKey = async (keyId = key.id): Promise<string> => {
  const { body } = await sandbox.manage<{ receiptId: string }>('POST', `/apps/${app.id}/keys/${keyId}/revoke`);
  return body.receiptId;
};
const read = (receiptId: string, listKeys = sandbox.plane.receipts.listKeys): Promise<ReceiptContent> =>
  readReceipt(sandbox, receiptId, listKeys);
const kidOf = (token: string): string => token.slice(9, 21);
const installation = (index = 0): string => `/apps/${app.id}/servers/${app.serverIds[index]}/installation`;

/** Queues deliveries through the key: one for each ticket and endpoint. No worker sends them. */
async function queueDeliveries(tickets: number): Promise<void> {
  const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId: key.id, eventTypes: ['ticket.created'] };
  await sandbox.manage('POST', `/apps/${app.id}/endpoints`, endpoint);
  for (let nth = 0; nth < tickets; nth += 1) {
    const ticket = json({ subject: `Ticket ${nth}`, body: 'b' });
    const { status } = await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, ticket);
    expect(status).toBe(201);
  }
}

const uuid = (): string => fromId('app', app.id) ?? '';
const countCancelled = async (reason: string): Promise<number> =>
  (await query("select from deliveries where app_id = $1 and status = 'cancelled' and reason = $2", [uuid(), reason]))
    .length;

describe('a receipt of a revoked key', () => {
  test('states the key, the time of the commit, the epoch and the cancelled deliveries', async () => {
    await queueDeliveries(3);
    const [before] = await query<{ at: Date }>('select clock_timestamp() as at');
    const receiptId = await revokeKey();
    const [after] = await query<{ at: Date }>('select clock_timestamp() as at');
    const content = await read(receiptId);
    expect(content).toMatchObject({
      environment: 'sandbox',
      receiptId,
      organisationId: toId('org', sandbox.organisationId),
      appId: app.id,
      requestId: expect.stringMatching(/^req_/),
      revoked: { keys: [{ keyId: key.id, kid: kidOf(key.token) }], grants: [] },
      deliveries: { cancelled: await countCancelled('key_revoked'), attemptsInFlight: 0 },
      mechanism: 'worker_confirmation',
      workers: [],
      failoverWaitMs: 0,
    });
    expect(content.deliveries.cancelled).toBe(3);
    const [epochs] = await query<{ epoch: string }>('select epoch from stop_epochs where app_id = $1', [uuid()]);
    expect(content.epoch).toBe(Number(epochs?.epoch));
    const times = [
      before?.at.toISOString(),
      content.committed.after,
      content.committed.before,
      after?.at.toISOString(),
    ];
    expect(times).toEqual([...times].sort());
    expect(content.limits[0]).toContain('frozen');
  });

  test('names the worker that confirmed the revocation, and the frozen worker that was deregistered after its lease', async () => {
    const outbound = createOutboundClient({ allowHosts: ['127.0.0.1:1'] });
    const { masterKeys } = sandbox.plane.secrets;
    const options = { db: sandbox.dispatch, environment: 'sandbox', outbound, masterKeys, log: () => {} } as const;
    const dispatcher = await startDispatcher(options);
    const [worker] = await query<{ worker_id: string }>('select worker_id from workers');
    const frozen = newUuid();
    await query('insert into workers (worker_id, lease_ms) values ($1, 1300)', [frozen]);
    // While a claim of the app is being judged, every worker must confirm.
    await query('select pg_advisory_lock(claims_lock($1))', [uuid()]);
    const { mechanism, workers } = await read(await revokeKey());
    await query('select pg_advisory_unlock(claims_lock($1))', [uuid()]);
    await dispatcher.stop();
    await outbound.close();
    expect(mechanism).toBe('worker_confirmation');
    const named = new Map(workers?.map(({ workerId, ...rest }) => [workerId, rest]));
    expect(named.size).toBe(2);
    expect(named.get(worker?.worker_id ?? '')).toMatchObject({ outcome: 'confirmed', leaseMs: null });
    expect(named.get(frozen)).toMatchObject({ outcome: 'deregistered', leaseMs: 1_300 });
    expect(named.get(frozen)?.waitedMs).toBeGreaterThan(1_300);
  });

  test('is named by the entry in the audit log, and by the list of receipts', async () => {
    const receiptId = await revokeKey();
    await read(receiptId);
    const entries = await query<{ detail: unknown }>(
      "select detail from audit_entries where action = 'key.revoke' and target = $1",
      [key.id],
    );
    expect(entries).toEqual([{ detail: { kid: kidOf(key.token), receiptId } }]);
    const { body } = await sandbox.manage<{ data: unknown[] }>('GET', `/revocation-receipts?appId=${app.id}`);
    expect(body.data).toMatchObject([{ id: receiptId, appId: app.id, keyIds: [key.id], keys: 1, servers: 0 }]);
  });

  test('exists for a repeated revocation too', async () => {
    const receipts = [await revokeKey(), await revokeKey()];
    expect(new Set(receipts).size).toBe(2);
    for (const receiptId of receipts) expect((await read(receiptId)).revoked.keys).toHaveLength(1);
  });

  test('exists for a rotation without an overlap, and for no other rotation', async () => {
    const rotate = (keyId: string, overlapHours: number) =>
      sandbox.manage<{ key: { id: string }; receiptId: string | null }>(
        'POST',
        `/apps/${app.id}/keys/${keyId}/rotate`,
        {
          expiresInDays: 7,
          overlapHours,
        },
      );
    const { body } = await rotate(key.id, 0);
    expect((await read(body.receiptId ?? '')).revoked.keys).toEqual([{ keyId: key.id, kid: kidOf(key.token) }]);
    expect((await rotate(body.key.id, 1)).body.receiptId).toBeNull();
  });

  test('names all keys of a person in an app, and is one for each app', async () => {
    const [first, second] = [app, await sandbox.newApp()];
    const keys = [key, await first.key(), await second.key()];
    const organisation = { createdBy: 'tester@example.org' };
    await sandbox.manage('POST', '/keys/revoke', organisation);
    const receiptOf = async ({ id }: TestApp): Promise<ReceiptContent> => {
      const path = `/revocation-receipts?appId=${id}`;
      const { body } = await sandbox.manage<{ data: { id: string }[] }>('GET', path);
      expect(body.data).toHaveLength(1);
      const content = await read(body.data[0]?.id ?? '');
      const [epochs] = await query<{ epoch: string }>('select epoch from stop_epochs where app_id = $1', [
        fromId('app', id),
      ]);
      expect(content.epoch).toBe(Number(epochs?.epoch));
      return content;
    };
    const named = [...(await receiptOf(first)).revoked.keys, ...(await receiptOf(second)).revoked.keys];
    expect(named.map(({ keyId }) => keyId).sort()).toEqual(keys.map(({ id }) => id).sort());
  });

  test('exists for a leaked key', async () => {
    const { status } = await sandbox.call('/v1/leaked-keys', undefined, json({ key: key.token }));
    expect(status).toBe(200);
    const { body } = await sandbox.manage<{ data: { id: string }[] }>('GET', `/revocation-receipts?appId=${app.id}`);
    expect((await read(body.data[0]?.id ?? '')).revoked.keys).toEqual([{ keyId: key.id, kid: kidOf(key.token) }]);
  });
});

describe('a receipt of revoked grants', () => {
  const put = async (path: string, state: string): Promise<string | null> => {
    const { status, body } = await sandbox.manage<{ receiptId: string | null }>('PUT', path, { state });
    expect([path, status]).toEqual([path, 200]);
    return body.receiptId;
  };

  test('names the server, or the scope on it, and counts the cancelled deliveries', async () => {
    await queueDeliveries(2);
    const ofScope = await read((await put(`${installation()}/scopes/roadmap:read`, 'revoked')) ?? '');
    expect(ofScope.revoked).toEqual({ keys: [], grants: [{ serverId: app.serverIds[0], scopes: ['roadmap:read'] }] });
    expect(ofScope.deliveries.cancelled).toBe(0);
    const ofServer = await read((await put(installation(), 'revoked')) ?? '');
    expect(ofServer.revoked.grants).toEqual([{ serverId: app.serverIds[0], scopes: null }]);
    expect(ofServer.deliveries.cancelled).toBe(2);
    expect(await countCancelled('installation_revoked')).toBe(2);
  });

  test('names all servers of a change of many', async () => {
    const change = { state: 'revoked', scopes: ['tickets:create', 'roadmap:read'] };
    const path = `/apps/${app.id}/installation-changes`;
    const { body } = await sandbox.manage<{ receiptId: string; changed: number }>('POST', path, change);
    const { grants } = (await read(body.receiptId)).revoked;
    expect(grants).toHaveLength(body.changed / 2);
    expect(grants.every(({ scopes }) => scopes?.length === 2)).toBe(true);
  });

  test('does not exist for a pause, a resumption or a dry run', async () => {
    expect([await put(installation(), 'paused'), await put(installation(), 'authorised')]).toEqual([null, null]);
    const dryRun = { state: 'revoked', isDryRun: true };
    const { body } = await sandbox.manage('POST', `/apps/${app.id}/installation-changes`, dryRun);
    expect(body.receiptId).toBeNull();
    expect(await query('select from revocation_receipts where app_id = $1', [uuid()])).toEqual([]);
  });
});

test('another organisation can neither read nor list a receipt', async () => {
  const receiptId = await revokeKey();
  const as = { organisationId: newUuid() };
  expect((await sandbox.manage('GET', `/revocation-receipts/${receiptId}`, undefined, as)).status).toBe(404);
  expect((await sandbox.manage('GET', '/revocation-receipts', undefined, as)).body.data).toEqual([]);
  expect((await sandbox.manage('GET', `/revocation-receipts/${receiptId}`)).status).toBe(200);
});

test('a signed receipt is never changed', async () => {
  const receiptId = await revokeKey();
  const jws = await readJws(sandbox, receiptId);
  await expect(query("update revocation_receipts set jws = 'x'")).rejects.toThrow('a signed receipt is not changed');
  await signInterruptedReceipts(sandbox.worker, sandbox.receipts);
  expect(await readJws(sandbox, receiptId)).toBe(jws);
});

test('a receipt whose process ended before the signature is signed by a worker, and states what is unknown', async () => {
  const { sign } = sandbox.plane.receipts;
  sandbox.plane.receipts.sign = () => {};
  const receiptId = await revokeKey();
  sandbox.plane.receipts.sign = sign;
  const isSigned = async () => (await query('select from revocation_receipts where jws is null')).length === 0;
  await signInterruptedReceipts(sandbox.worker, sandbox.receipts);
  expect(await isSigned()).toBe(false);
  await query("update revocation_receipts set created_at = created_at - interval '301 seconds' where jws is null");
  await signInterruptedReceipts(sandbox.worker, sandbox.receipts);
  expect(await read(receiptId)).toMatchObject({
    revoked: { keys: [{ keyId: key.id }] },
    deliveries: { cancelled: null, attemptsInFlight: null },
    epoch: null,
    workers: null,
    failoverWaitMs: null,
    mechanism: 'claim_lifetime',
  });
});

test('a receipt states the wait after a failover', async () => {
  const { sign } = sandbox.plane.receipts;
  sandbox.plane.receipts.sign = (receipt, cancelled, cancellations) => sign(receipt, cancelled, cancellations, 1_240);
  const receiptId = await revokeKey();
  sandbox.plane.receipts.sign = sign;
  expect((await read(receiptId)).failoverWaitMs).toBe(1_240);
});

test('a failed transaction leaves no receipt', async () => {
  const { cancelInFlight } = sandbox.plane.deliveries;
  sandbox.plane.deliveries.cancelInFlight = () => {
    throw new Error('The transaction fails.');
  };
  await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
  sandbox.plane.deliveries.cancelInFlight = cancelInFlight;
  expect(sandbox.errors.splice(0)).toHaveLength(1);
  expect(await query('select from revocation_receipts where app_id = $1', [uuid()])).toEqual([]);
});

test('the published keys contain those of earlier master keys', async () => {
  const { manager } = sandbox.plane.db;
  const masterKeys = { current: 'm0', keys: { m0: secret(randomBytes(32).toString('base64')) } };
  const earlier = createReceiptIssuer(manager, { ...sandbox.receipts, masterKeys }, (error) =>
    sandbox.errors.push(error),
  );
  const { sign } = sandbox.plane.receipts;
  sandbox.plane.receipts.sign = earlier.sign;
  const receiptId = await revokeKey();
  sandbox.plane.receipts.sign = sign;
  await read(await revokeKey(), earlier.listKeys);
  const current = createReceiptIssuer(manager, sandbox.receipts, () => {});
  for (const { listKeys } of [earlier, current]) expect((await read(receiptId, listKeys)).receiptId).toBe(receiptId);
  const { body, headers } = await sandbox.call('/receipt-keys');
  expect(headers.get('content-type')).toContain('application/jwk-set+json');
  expect(body.keys).toContainEqual((await current.listKeys())[0]);
});

test('the answer of a revocation does not wait for the signature', async () => {
  const { sign } = sandbox.plane.receipts;
  let resume = (): void => {};
  const held = new Promise<number>((resolve) => {
    resume = () => resolve(0);
  });
  sandbox.plane.receipts.sign = (receipt, cancelled, ...rest) => sign(receipt, [...cancelled, held], ...rest);
  const receiptId = await revokeKey();
  sandbox.plane.receipts.sign = sign;
  const { body } = await sandbox.manage('GET', `/revocation-receipts/${receiptId}`);
  expect([body.jws, body.signedAt]).toEqual([null, null]);
  resume();
  await until(async () => (await sandbox.manage('GET', `/revocation-receipts/${receiptId}`)).body.jws !== null);
});
