// Environment for the tests of the dispatcher: an app with a key that is installed on one server, receivers on
// loopback, and dispatchers. The dispatchers stop when the test ends.
import { Webhook } from 'standardwebhooks';
import { testPlane } from '../../../test/harness.ts';
import {
  type AccessCancellation,
  type LostAccess,
  openTenant,
  runAsTenant,
  setOrganisation,
  type TenantTransaction,
} from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import { createOutboundClient, type OutboundClient } from '../../kit/outbound/outbound.ts';
import { emitEvent } from '../../resources/events/index.ts';
import { cancelDeliveriesOfKey } from '../webhooks/access-change-store.ts';
import type { ReceivedRequest } from '../webhooks/hook-receiver.fixture.ts';
import { makeEndpoint } from '../webhooks/make-endpoint.ts';
import { headerErrors } from './attempt/delivery-headers.fixture.ts';
import { InFlightAttempt } from './attempt/in-flight-attempts.ts';
import { insertWorld } from './dispatch-rows.fixture.ts';
import { type Dispatcher, type DispatcherOptions, startDispatcher, type Timing } from './dispatch-webhooks.job.ts';
import { createReceivers } from './receivers.fixture.ts';
import { cancelInFlightDeliveries } from './workers/cancel-in-flight-deliveries.ts';

interface LogLine {
  event: string;
  outcome?: string;
  attempt?: number;
  error?: string;
}

/** Shorter than the defaults, but only for intervals that do not decide whether a worker is dead. */
const FAST_TIMING: Partial<Timing> = { pollMs: 100, recoverMs: 100, releaseMs: 200, healthMs: 50 };

type EndpointSettings = Pick<
  Parameters<typeof makeEndpoint>[2],
  'ratePerSecond' | 'scheduleSpeed' | 'isOrdered' | 'headers'
>;

export async function testWorld() {
  const open = await testPlane();
  const { plane, database } = open;
  const { superuser } = database;
  const closers: (() => Promise<void>)[] = [];
  const lines: LogLine[] = [];
  const begun: { url: string; atMs: number; keyId: string | undefined }[] = [];
  const appId = newUuid();
  const serverId = newUuid();
  const organisationId = newUuid();
  await insertWorld(open, { organisationId, appId, serverId });
  const webhooks = new Map<string, Webhook[]>();
  const unverified: string[] = [];

  /**
   * Verifies every attempt of every test over its raw bytes with the public library. A test that signs differently
   * verifies itself.
   */
  function verify(url: string, { headers, body }: ReceivedRequest): void {
    const isRight = (webhook: Webhook): boolean => {
      try {
        webhook.verify(body, headers as Record<string, string>); // a repeated header is refused there
        return true;
      } catch {
        return false;
      }
    };
    // A probe is no attempt: its caller signs it.
    if (headers['slipway-attempt'] === undefined) return;
    const wrong = headerErrors(headers);
    if (wrong.length > 0) unverified.push(`${url} headers ${wrong.join()}`);
    if (!webhooks.get(url)?.some(isRight)) unverified.push(`${url} attempt ${headers['slipway-attempt']}`);
  }

  const receivers = createReceivers(closers, verify);

  /** Runs in a transaction like the operation of a member, also inside the organisation. */
  const asMember = <T>(run: (tenant: TenantTransaction) => Promise<T>): Promise<T> =>
    plane.db.manager.transaction((tx) => {
      setOrganisation(tx, organisationId);
      return run(openTenant(tx, appId));
    });

  async function addKey({ scopes = '{events:read}', lifetime = '7 days' } = {}): Promise<string> {
    const keyId = newUuid();
    await superuser.query(
      `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
       values ($1, $2, $3, $4, 1, 'Key', $5, 'a test', now(), clock_timestamp() + $6::interval)`,
      [appId, keyId, keyId.replaceAll('-', '').slice(-12), Buffer.alloc(32), scopes, lifetime],
    );
    return keyId;
  }

  return {
    /** Each request to a receiver, at its pre-send check: right before its first byte is written. */
    begun,
    ...open,
    superuser,
    appId,
    serverId,
    lines,
    addKey,
    asMember,
    receiver: receivers.receiver,
    hangingReceiver: receivers.hangingReceiver,
    addEndpoint(
      url: string,
      keys: string | readonly string[],
      schemaVersions: Record<string, number> = {},
      settings: EndpointSettings = {},
    ): Promise<{ endpointId: string; secret: Secret }> {
      return asMember(async (tenant) => {
        const endpointId = newUuid();
        const keyIds = typeof keys === 'string' ? [keys] : keys;
        const of = { endpointId, keyIds, url, description: '', createdBy: 'a test' };
        const eventTypes = ['ticket.created'] as const;
        const made = await makeEndpoint(tenant, plane, { ...of, eventTypes, schemaVersions, ...settings });
        if (!made) throw new Error('There is no such key.');
        webhooks.set(url, [...(webhooks.get(url) ?? []), new Webhook(made.signingSecret.reveal())]);
        return { endpointId, secret: made.signingSecret };
      });
    },
    /**
     * Emits like an operation: events and deliveries in one transaction, then the wake-up. All events have the subject
     * `about`, or each has its own.
     */
    async emit(count = 1, about?: { uuid: string; from: number }): Promise<void> {
      const queued = await runAsTenant(plane.db.api, appId, async (tenant) => {
        for (let index = 0; index < count; index += 1) {
          const uuid = about?.uuid ?? newUuid();
          const sequence = (about?.from ?? 1) + index;
          const subject = { type: 'ticket', uuid, id: toId('tkt', uuid) };
          const data = { subject: `Grüße ${index + 1}` };
          await emitEvent(tenant, plane, {
            type: 'ticket.created',
            serverId,
            subject,
            sequence,
            requestId: null,
            data,
            older: [{ betreff: data.subject }],
          });
        }
        return tenant.queuedEndpoints;
      });
      plane.deliveries.wake(queued);
    },
    async dispatcher({ timing, ...changes }: Partial<DispatcherOptions> = {}): Promise<Dispatcher> {
      const outbound = createOutboundClient({ allowHosts: receivers.ports.map((port) => `127.0.0.1:${port}`) });
      const { masterKeys } = plane.secrets;
      const noting: OutboundClient = {
        ...outbound,
        post: (request) =>
          outbound.post({
            ...request,
            preSendCheck() {
              const mayBegin = request.preSendCheck?.() ?? true;
              const keyId = request.pace instanceof InFlightAttempt ? request.pace.claimToken.keyId : undefined;
              if (mayBegin) begun.push({ url: request.url, atMs: performance.now(), keyId });
              return mayBegin;
            },
          }),
      };
      const log = (line: object): void => void lines.push(line as LogLine);
      const dispatcher = await startDispatcher({
        db: open.dispatch,
        outbound: noting,
        masterKeys,
        environment: 'sandbox',
        log,
        ...changes,
        timing: { ...FAST_TIMING, ...timing },
      });
      closers.unshift(async () => {
        await dispatcher.stop();
        await outbound.close();
      });
      return dispatcher;
    },
    /** Runs the first transaction of a revocation. */
    revokeKey(keyId: string): Promise<void> {
      return runAsTenant(plane.db.manager, appId, async (tenant) => {
        await superuser.query(
          `update keys set state = 'revoked', revoked_at = now(), revoked_by = 'a test' where key_id = $1`,
          [keyId],
        );
        void cancelDeliveriesOfKey(tenant, keyId);
      });
    },
    /** Stops attempts in flight under the denial, like an operation that takes an access away. */
    async stop(denied: Partial<LostAccess>): Promise<AccessCancellation[]> {
      const { manager } = plane.db;
      let stopped: Promise<AccessCancellation[]> | undefined;
      await manager.transaction(async (tx) => {
        stopped = cancelInFlightDeliveries(manager, tx, [{ appId, keyId: null, serverId: null, ...denied }]);
      });
      return (await stopped) ?? [];
    },
    async rows<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await superuser.query(text, values)).rows as Row[];
    },
    async close(): Promise<void> {
      for (const close of closers) await close();
      await open.close();
      if (unverified.length > 0) throw new Error(`Not signed as it should be: ${unverified.join(', ')}`);
    },
  };
}

export type DispatchFixture = Awaited<ReturnType<typeof testWorld>>;

export interface DeliveryState {
  delivery_id: string;
  status: string;
  reason: string | null;
  outcomes: string[];
  /** The keys of the attempts. */
  keyIds: string[];
}

/** Returns every delivery with the outcomes of its attempts. */
export function deliveriesOf(world: DispatchFixture): Promise<DeliveryState[]> {
  return world.rows(`select d.delivery_id, d.status, d.reason,
    array(select outcome from attempts a where a.delivery_id = d.delivery_id order by attempt_no) as outcomes,
    array(select key_id from attempts a where a.delivery_id = d.delivery_id order by attempt_no) as "keyIds"
    from deliveries d order by delivery_id`);
}
