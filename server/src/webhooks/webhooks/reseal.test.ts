// Rotation of the master key while deliveries run. Every delivery verifies, the work can be interrupted anywhere, and
// the old key may be removed when nothing is sealed under it, but not before.
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { createLifetime, startPlane } from '../../boot/process.ts';
import { type MasterKeys, seal } from '../../kit/crypto/seal.ts';
import { type Secret, secret } from '../../kit/crypto/secret.ts';
import { createSigningSecret } from '../../kit/crypto/standard-webhooks.ts';
import { createOutboundClient } from '../../kit/outbound/outbound.ts';
import { createLog } from '../../kit/telemetry/log.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from '../dispatch/dispatch.fixture.ts';
import { type Dispatcher, startDispatcher } from '../dispatch/dispatch-webhooks.job.ts';
import { sealHeaders } from './custom-headers.ts';
import { secretBinding } from './endpoint.ts';
import { logMasterKeys, resealAll } from './reseal.job.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

let world: DispatchFixture;
let keyId: string;
let before: MasterKeys;
let knowingBoth: MasterKeys;
let during: MasterKeys;
let after: MasterKeys;
const lines: unknown[] = [];
const log = {
  info: (message: string, fields?: object) => lines.push([message, fields]),
  error: (message: string, _error: unknown, fields?: object) => lines.push([message, fields]),
};

beforeAll(async () => {
  world = await testWorld();
  keyId = await world.addKey();
  before = world.plane.secrets.masterKeys;
  const m2 = secret(randomBytes(32).toString('base64'));
  knowingBoth = { current: 'm1', keys: { ...before.keys, m2 } };
  during = { ...knowingBoth, current: 'm2' };
  after = { current: 'm2', keys: { m2 } };
});
beforeEach(async () => {
  await world.rows('delete from endpoints');
  lines.length = 0;
});
afterAll(() => world.close());

const counts = async () =>
  Object.fromEntries(
    (
      await world.rows<{ name: string; count: number }>(`select master_key_of(sealed) as name, count(*)::int as count
        from endpoints cross join lateral (values (sealed_secret), (sealed_previous_secret), (sealed_headers)) v (sealed)
        where sealed is not null group by 1`)
    ).map(({ name, count }) => [name, count]),
  );

/** Adds an endpoint in the overlap of a rotation: it has two secrets, and headers. */
async function addRotated(url: string): Promise<{ endpointId: string; secrets: Secret[] }> {
  const { endpointId, secret: first } = await world.addEndpoint(url, keyId);
  const second = createSigningSecret();
  await world.rows(
    `update endpoints set sealed_previous_secret = sealed_secret, sealed_secret = $2, secret_rotated_at = now(),
       previous_secret_ends_at = now() + interval '1 day', sealed_headers = $3, header_names = '{x-own}'
     where endpoint_id = $1`,
    [
      endpointId,
      seal(second, secretBinding(endpointId), before),
      sealHeaders(new Map([['x-own', endpointId]]), endpointId, before),
    ],
  );
  return { endpointId, secrets: [first, second] };
}

test('deliveries during a rotation of the master key verify with every secret of their endpoint', async () => {
  const outbounds: { close(): Promise<unknown> }[] = [];
  const receivers: (Awaited<ReturnType<DispatchFixture['receiver']>> & { endpointId: string; secrets: Secret[] })[] =
    [];
  for (let made = 0; made < 3; made++) {
    const receiver = await world.receiver((response) => response.end());
    receivers.push({ ...receiver, ...(await addRotated(receiver.url)) });
  }
  const unsigned: unknown[] = [];
  async function dispatch(masterKeys: MasterKeys): Promise<Dispatcher> {
    const outbound = createOutboundClient({ allowHosts: receivers.map(({ url }) => new URL(url).host) });
    outbounds.push(outbound);
    const note = (line: { event?: string }): void =>
      void (line.event === 'webhook.signing_failed' && unsigned.push(line));
    return startDispatcher({ environment: 'sandbox', db: world.dispatch, outbound, masterKeys, log: note });
  }
  let isOver = false;
  const sent = (): number => Math.min(...receivers.map(({ received }) => received.length));
  const emitting = (async () => {
    for (let emitted = 1; !isOver; emitted++) {
      await world.emit();
      await until(() => isOver || sent() > emitted - 5); // always some deliveries in flight, and never a backlog
    }
  })();
  let running = await dispatch(before);
  for (const masterKeys of [knowingBoth, during, after]) {
    const seen = sent();
    await until(() => sent() > seen + 5);
    const next = await dispatch(masterKeys);
    await running.stop();
    running = next;
    if (masterKeys === during) {
      await resealAll(world.worker, during, log, 1);
      expect(await counts()).toEqual({ m2: 9 });
    }
  }
  const seen = sent();
  await until(() => sent() > seen + 5);
  isOver = true;
  await emitting;
  const all = await until(async () => {
    const deliveries = await deliveriesOf(world);
    return deliveries.every(({ status }) => status === 'succeeded') && deliveries;
  });
  await running.stop();
  await Promise.all(outbounds.map((outbound) => outbound.close()));
  expect(new Set(all.flatMap(({ outcomes }) => outcomes))).toEqual(new Set(['response']));
  expect([unsigned, lines]).toEqual([[], []]);
  for (const { received, secrets, endpointId } of receivers) {
    for (const { headers, body } of received) {
      expect(headers['x-own']).toBe(endpointId);
      for (const one of secrets) new Webhook(one.reveal()).verify(body, headers as Record<string, string>);
    }
  }
});

describe('resealing', () => {
  test('resealing continues where it was interrupted, and skips locked rows', async () => {
    for (let made = 0; made < 4; made++) await world.addEndpoint('http://127.0.0.1:1/hooks', keyId);
    let transactions = 0;
    const breaking = {
      ...world.worker,
      transaction: ((run) => {
        transactions += 1;
        if (transactions > 2) throw new Error('the process is gone');
        return world.worker.transaction(run);
      }) as typeof world.worker.transaction,
    };
    await expect(resealAll(breaking, during, log, 1)).rejects.toThrow('the process is gone');
    expect(await counts()).toEqual({ m1: 2, m2: 2 });
    await world.rows('begin');
    await world.rows(
      'select from endpoints where endpoint_id = (select max(endpoint_id::text)::uuid from endpoints) for update',
    );
    await Promise.all([resealAll(world.worker, during, log, 1), resealAll(world.worker, during, log, 1)]);
    await world.rows('rollback');
    expect(await counts()).toEqual({ m1: 1, m2: 3 });
    await resealAll(world.worker, during, log);
    expect(await counts()).toEqual({ m2: 4 });
    // A process that does not know the new current key reseals nothing back.
    await resealAll(world.worker, knowingBoth, log);
    expect(await counts()).toEqual({ m2: 4 });
  });

  test('resealing continues after a value that cannot be opened, and logs it', async () => {
    const [first] = [await addRotated('http://127.0.0.1:1/hooks'), await addRotated('http://127.0.0.1:1/hooks')];
    await world.rows(
      'update endpoints set sealed_secret = set_byte(sealed_secret, 80, 255 - get_byte(sealed_secret, 80)) where endpoint_id = $1',
      [first.endpointId],
    );
    await resealAll(world.worker, during, log, 1);
    expect(await counts()).toEqual({ m1: 3, m2: 3 });
    expect(lines).toEqual([
      [
        'sealed_value.open_failed: A sealed value of an endpoint could not be opened.',
        { endpointId: first.endpointId },
      ],
    ]);
  });

  test('resealing covers every column with sealed values', async () => {
    const columns = await world.rows<{ name: string }>(`select c.relname || '.' || attname as name
      from pg_attribute a join pg_class c on c.oid = attrelid where attname like '%sealed%' and not attisdropped
      and relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`);
    // The job of captures reseals its keys (captures-end.test.ts).
    const ofEndpoints = SEALED_COLUMNS.map((name) => `endpoints.${name}`).sort();
    expect(columns.map(({ name }) => name)).toEqual(['capture_keys.sealed_key', ...ofEndpoints]);
  });
});

test('the log reports how many values are left, when the old key is no longer needed, and which key is missing', async () => {
  await addRotated('http://127.0.0.1:1/hooks');
  const logKeysOf = async (masterKeys: MasterKeys) => {
    lines.length = 0;
    await logMasterKeys(world.worker, masterKeys, log);
    return [...lines];
  };
  expect(await logKeysOf(before)).toEqual([]);
  expect(await logKeysOf(knowingBoth)).toEqual([]);
  expect(await logKeysOf(during)).toEqual([
    ['master_key.in_use: Sealed values still require an earlier master key.', { masterKey: 'm1', values: 3 }],
  ]);
  expect(await logKeysOf(after)).toEqual([
    ['master_key.missing: Sealed values require a master key that no setting names.', { masterKey: 'm1', values: 3 }],
  ]);
  await resealAll(world.worker, during, log);
  expect(await logKeysOf(during)).toEqual([
    ['master_key.unused: No sealed value requires this master key.', { masterKey: 'm1', values: 0 }],
  ]);
  expect(await logKeysOf(after)).toEqual([]);
});

test('the start is refused if the master key of a sealed value is missing or replaced by another one', async () => {
  await addRotated('http://127.0.0.1:1/hooks');
  const quiet = createLog(false);
  const start = async (masterKeys: MasterKeys): Promise<string> => {
    const { databaseUrl, publicUrl, peppers, managementKey, rate } = world.options;
    const secrets = { peppers, masterKeys, managementKey };
    const rest = { rate, webhookAllowHosts: [], webhookAllowCidrs: [], githubKeys: undefined };
    const lifetime = createLifetime(quiet);
    const started = startPlane({ environment: 'sandbox', databaseUrl, publicUrl, secrets, ...rest }, quiet, lifetime);
    const outcome = await started.then(
      () => 'started',
      (error: Error) => error.message,
    );
    await lifetime.stop();
    return outcome;
  };
  const another = { current: 'm1', keys: { m1: secret(randomBytes(32).toString('base64')) } };
  expect(await start(before)).toBe('started');
  expect(await start(after)).toMatch(/^3 values are sealed under master key 1, which no setting names/);
  expect(await start(another)).toMatch(/^3 values are sealed under master key 1, and what .* is another/);
  await resealAll(world.worker, during, log);
  expect(await start(after)).toBe('started');
});
