// One round: a fault under load, its repair, and the comparison of the ledger with the database and the receiver.
import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '../../bench/kit.ts';
import { computeVerifier, newKeyToken, SCOPES } from '../../server/src/access/authority/index.ts';
import { fromId, newUuid } from '../../server/src/kit/crypto/ids.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import type { App, WebhookSetup } from '../webhooks/setup.ts';
import type { Callers } from './callers.ts';
import { type FailoverCluster, poll } from './cluster.ts';
import type { Fault } from './faults.ts';
import type { Forwarding, ForwardingResult } from './forwarding.ts';
import { holdDeliveries } from './held-deliveries.ts';
import { type CallKind, DIRECT, type KeyToRevoke, type Ledger, recoveryMs } from './ledger.ts';
import type { FailoverService } from './service.ts';
import { addWatchedEndpoints, findWatchedDeliveries, type WatchedDeliveries } from './watched-endpoints.ts';

const KEYS = 600;
/** Keys with an endpoint of their own. The first ones are revoked before the fault, the others after it. */
const WATCHED_KEYS = { before: 2, after: 4 };
/** The path of the endpoint whose key is never revoked. */
export const EVENTS_PATH = '/failover';
/** Events whose deliveries are held over the fault. Each has one to each watched endpoint of a later revocation. */
const HELD_EVENTS = 5;
const WARM_UP_MS = 2_000;
const AFTER_REPAIR_MS = 5_000;
const FAILOVER_MS = 90_000;
const RECOVERY_MS = 60_000;
const ARRIVAL_MS = 90_000;

export interface FailoverSetup {
  cluster: FailoverCluster;
  service: FailoverService;
  callers: Callers;
  receiver: Receiver;
  webhooks: WebhookSetup;
  app: App;
  forwarding: Forwarding;
}

/** The losses of a ledger: ids that were acknowledged and are missing. */
export interface Losses {
  tickets: string[];
  revocations: string[];
  records: string[];
  events: string[];
  /** Subjects that several tickets have. */
  doubled: string[];
}

export interface Round extends Losses {
  ledger: Ledger;
  watched: WatchedDeliveries;
  forwarded: ForwardingResult;
  /** Milliseconds from the fault to the recovery, by kind of call. */
  recoveredMs: Record<CallKind, number>;
  /** The share of failed reads and writes of the nodes that follow the primary. */
  failedShare: number;
  /** The number of failed calls of these nodes. */
  failed: number;
  /** The responses of the directly connected node to revoked keys that were sent after the failover. */
  directCalls: number;
  /** The readiness of the directly connected node and worker when their server has become a standby. */
  directReadiness: readonly (number | undefined)[];
  /** The due deliveries that the previous primary released after the revocations, if it continued. */
  released: number;
}

/** Inserts keys directly. No quota counts them. */
async function makeKeys({ cluster, app, webhooks }: FailoverSetup): Promise<KeyToRevoke[]> {
  const { current, keys } = webhooks.plane.secrets.peppers;
  const pepper = keys[current];
  if (!pepper) throw new Error(`There is no pepper of version ${current}.`);
  const made = Array.from({ length: KEYS }, () => ({ id: newUuid(), ...newKeyToken('sandbox') }));
  await cluster.query(
    `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
     select $1, one.id, one.kid, one.verifier, $2, 'Proof', $3, 'prover', now(), now() + interval '1 day'
     from unnest($4::uuid[], $5::text[], $6::bytea[]) as one (id, kid, verifier)`,
    [
      app.appId,
      current,
      SCOPES,
      made.map(({ id }) => id),
      made.map(({ kid }) => kid),
      made.map(({ token }) => computeVerifier(token, pepper)),
    ],
  );
  return made.map(({ id, token }) => ({ id, token }));
}

async function findMissing(
  { cluster, app }: FailoverSetup,
  ids: readonly string[],
  present: string,
): Promise<string[]> {
  const rows = await cluster.query<{ id: string }>(
    `select id from unnest($2::uuid[]) as asked (id) where not exists (select from ${present})`,
    [app.appId, ids],
  );
  return rows.map(({ id }) => id);
}

const uuidsOf = (prefix: 'tkt' | 'req', ids: readonly string[]): string[] => ids.map((id) => fromId(prefix, id) ?? '');

/** Compares acknowledged answers with the database. */
export async function findLosses(setup: FailoverSetup, { tickets, revoked, requestIds }: Ledger): Promise<Losses> {
  const { cluster, app, receiver } = setup;
  const awaited = new Set(tickets.map(({ id }) => id));
  let read = 0;
  await poll(() => {
    for (const { path, body } of receiver.arrivals.slice(read))
      if (path === EVENTS_PATH) awaited.delete(JSON.parse(body).subject.id);
    read = receiver.arrivals.length;
    return awaited.size === 0;
  }, ARRIVAL_MS).catch(() => {});
  const doubled = await cluster.query<{ subject: string }>(
    'select subject from tickets where app_id = $1 group by subject having count(*) > 1',
    [app.appId],
  );
  const ofTickets = uuidsOf(
    'tkt',
    tickets.map(({ id }) => id),
  );
  return {
    tickets: await findMissing(setup, ofTickets, 'tickets where app_id = $1 and ticket_id = asked.id'),
    revocations: await findMissing(
      setup,
      revoked.map(({ id }) => id),
      `keys where app_id = $1 and key_id = asked.id and state = 'revoked'`,
    ),
    records: await findMissing(
      setup,
      uuidsOf('req', requestIds),
      'request_records where app_id = $1 and request_id = asked.id',
    ),
    events: [...awaited],
    doubled: doubled.map(({ subject }) => subject),
  };
}

export async function runRound(setup: FailoverSetup, fault: Fault, { isUnfenced = false } = {}): Promise<Round> {
  const { cluster, service, callers, receiver, forwarding, webhooks, app } = setup;
  const primary = await cluster.untilHealthy();
  await service.connectDirectly(primary, { isUnfenced });
  await forwarding.begin(primary, { isUnfenced });
  const keys = await makeKeys(setup);
  const endpoints = await addWatchedEndpoints(setup, keys.slice(0, WATCHED_KEYS.before + WATCHED_KEYS.after));
  const late = keys.splice(WATCHED_KEYS.before, WATCHED_KEYS.after);
  const ledger = callers.begin(keys);
  await pause(WARM_UP_MS);
  const names = service.nodes.map(({ name }) => name);
  const processes = service.processes.map(({ name }) => name);
  const isAnsweredSince = (sinceMs: number) => () => {
    const answered = ledger.calls.filter((call) => call.isAnswered && call.beganMs > sinceMs);
    const has = (kind: CallKind) => (name: string) => answered.some((call) => call.kind === kind && call.name === name);
    return names.every(has('read')) && names.every(has('write')) && processes.every(has('readiness'));
  };
  const areRevoked = (): boolean => {
    const revoked = new Set(ledger.revoked.map(({ id }) => id));
    return late.every(({ id }) => revoked.has(id));
  };
  const held = fault.continuePrimary
    ? await holdDeliveries({
        cluster,
        primary,
        appId: app.appId,
        endpointIds: endpoints.ids.slice(WATCHED_KEYS.before),
        emit: () => webhooks.emit(app, HELD_EVENTS),
      })
    : undefined;
  const endAccess = (): Promise<void> => {
    callers.revokeNext(late);
    return forwarding.endAccess();
  };
  let released = 0;

  /** Waits for the failover, ends access on the new primary, and waits for the responses. Returns when it began. */
  async function failOver(): Promise<number> {
    await poll(async () => {
      const leader = await cluster.findLeader();
      return leader !== undefined && leader !== primary;
    }, FAILOVER_MS);
    const failedOverMs = performance.now();
    const accessEnd = endAccess();
    // A node that never recovers has no time, and fails its check.
    await poll(isAnsweredSince(failedOverMs), RECOVERY_MS).catch(() => {});
    await poll(areRevoked, RECOVERY_MS);
    await accessEnd;
    return failedOverMs;
  }

  async function strike(): Promise<{ struckMs: number; failedOverMs: number; repairedMs: number }> {
    await forwarding.untilForwarding();
    const struckMs = performance.now();
    let failedOverMs = Number.POSITIVE_INFINITY;
    await fault.inject(cluster, primary);
    try {
      held?.continueClaims();
      if (fault.isFailover) failedOverMs = await failOver();
      else void endAccess();
      fault.continuePrimary?.(primary);
      if (held) released = await held.release();
      await pause(fault.holdMs);
      // A failure just before the repair must not hide that the node had recovered.
      if (fault.isFailover) await poll(isAnsweredSince(performance.now()), RECOVERY_MS).catch(() => {});
    } finally {
      await fault.repair(cluster, primary);
    }
    return { struckMs, failedOverMs, repairedMs: performance.now() };
  }

  const { struckMs, failedOverMs, repairedMs } = await strike().finally(() => held?.close());
  await pause(AFTER_REPAIR_MS);
  await cluster.untilHealthy();
  await poll(isAnsweredSince(performance.now()), FAILOVER_MS);
  await poll(areRevoked, RECOVERY_MS);
  // Later failures of a failover are those of its repair.
  const window = { struckMs, untilMs: fault.isFailover ? repairedMs : Number.POSITIVE_INFINITY };
  const directReadiness = fault.isFailover ? await service.directReadiness() : [];
  const calls = ledger.calls.filter(({ kind, name }) => kind !== 'readiness' && names.includes(name));
  const forwarded = await forwarding.end();
  const losses = await findLosses(setup, ledger);
  await endpoints.remove();
  const failed = calls.filter((call) => !call.isAnswered).length;
  const round = {
    ledger,
    ...losses,
    watched: findWatchedDeliveries(receiver, ledger),
    forwarded,
    recoveredMs: {
      read: recoveryMs(ledger, 'read', names, window),
      write: recoveryMs(ledger, 'write', names, window),
      readiness: recoveryMs(ledger, 'readiness', processes, window),
    },
    failedShare: failed / calls.length,
    failed,
    directCalls: ledger.revokedCalls.filter(({ name, beganMs }) => name === DIRECT && beganMs > failedOverMs).length,
    directReadiness,
    released,
  };
  progress(describe(round));
  const lost = listLost(ledger, processes, window);
  if (lost.length > 0) progress(`  not ready before the repair: ${lost.join(', ')}`);
  return round;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** Returns the processes that did not recover before the repair. */
function listLost(ledger: Ledger, names: readonly string[], window: { struckMs: number; untilMs: number }): string[] {
  return names.filter((name) => recoveryMs(ledger, 'readiness', [name], window) === Number.POSITIVE_INFINITY);
}

function describe({ ledger, recoveredMs, failedShare, ...round }: Round): string {
  const losses = `lost: ${round.tickets.length} of ${ledger.tickets.length} tickets, ${round.revocations.length} of ${ledger.revoked.length} revocations, ${round.records.length} of ${ledger.requestIds.length} records, ${round.events.length} events`;
  const accepted = [...new Set(ledger.accepted.map(({ name }) => name))]
    .map((name) => `${name} ${ledger.accepted.filter((one) => one.name === name).length}`)
    .join(', ');
  const times = `reads after ${seconds(recoveredMs.read)} s, writes ${seconds(recoveredMs.write)} s, ready ${seconds(recoveredMs.readiness)} s`;
  return `  ${times}; ${(failedShare * 100).toFixed(1)} % failed; ${losses}; revoked keys accepted: ${accepted || 'none'} of ${ledger.refused + ledger.accepted.length}; late deliveries: ${round.watched.late.length} of ${round.watched.arrived}, ${round.released} released; forwarded: ${round.forwarded.made}, ${round.forwarded.late.length} late`;
}
