// A revocation with thousands of waiting and hundreds of in-flight deliveries over four workers. After it was answered,
// no request to a receiver may begin. A request begins with the sender's first byte, by a clock that all processes
// share.
import { setTimeout as pause } from 'node:timers/promises';
import { percentile, progress, startScript } from '../../bench/kit.ts';
import { fromId, toId } from '../../server/src/kit/crypto/ids.ts';
import { atMost, type Check } from '../kit.ts';
import { toCheck } from './agreement.ts';
import { fillQueue } from './fill-queue.ts';
import { sharedMs } from './print-errors.ts';
import { type ProofNode, type SentRequest, startNode } from './processes.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { RevokeRequest, RevokeTimes } from './revoker.ts';
import type { App, WebhookSetup } from './setup.ts';
import { startTraffic } from './traffic.ts';

export type WorkerFault = 'none' | 'killed' | 'stopped';

export interface RevokeOptions {
  revokes: number;
  workers: number;
  /** Waiting deliveries of each app when its key is revoked. */
  waiting: number;
  /** In-flight deliveries over all apps. Apps without a revocation provide the rest. */
  inFlight: number;
  bystanders: number;
  answerAfterMs: number;
  fault: WorkerFault;
  /**
   * True if publications wait and the scope of publications is revoked on their server; otherwise the key is revoked.
   */
  isOfScope?: boolean;
  /** The apps have the earlier rule: events:read alone decides about each event. */
  isEarlier?: boolean;
  /** True if a change of a scope cancels no in-flight attempt, unless the scope is events:read. */
  stopsEventsReadOnly?: boolean;
  isWithoutPermit?: boolean;
  /** True if the suspended worker has unsent claims, and begins them before it learns of the revocation. */
  beginsLate?: boolean;
  hidesClaims?: boolean;
  hidesHandOffs?: boolean;
  /**
   * The endpoints have a second key, through which their deliveries continue. Only requests through the revoked key
   * count.
   */
  hasSecondKey?: boolean;
  claimsRevokedKeys?: boolean;
  /** True if the workers are processes with /v1, whose mutations hand deliveries to their own dispatcher. */
  handsOff?: boolean;
  /** The number of violations after which the run may end. */
  enough?: number;
}

/** Revokes the key, or the scope, of an app, and changes the name of the other app at the same time. */
type RevokeFunction = (app: App, reference: App | null) => Promise<RevokeTimes>;

/** One revocation. */
export interface Revocation {
  app: App;
  tookMs: number;
  /** The duration of a simultaneous change that cancels no delivery. */
  referenceMs: number;
  answeredAtMs: number;
  /** The worker that was suspended for it, and when it resumed. */
  stood: { worker: ProofNode; toMs: number } | undefined;
}

export interface RevocationReport {
  revoked: Revocation[];
  /** Requests that began after the response. */
  late: SentRequest[];
  /** Requests that were permitted before the suspension and written after it, which no sender can rule out. */
  frozen: SentRequest[];
  /** Arrivals that no sender recorded. */
  unknown: string[];
  sent: number;
  refused: string[];
  /** Requests after the response that continued through the second key. */
  continued: number;
  /** Deliveries that mutations handed to their own dispatcher. */
  handedOff: number;
}

// A worker limits the attempts in flight per endpoint, app and host. With these numbers no limit is reached.
const RECEIVERS = 4;
const ENDPOINTS = 8;
const READY_WITHIN_MS = 60_000;
const CALLERS = { callers: 2, pauseMs: 5 };
/** Longer than the lease. */
const STANDS_BEYOND_MS = 100;

async function openApp(setup: WebhookSetup, receivers: readonly Receiver[], input: RevokeOptions): Promise<App> {
  const app = await setup.addApp();
  const keyIds = input.hasSecondKey ? [app.keyId, (await setup.addKey(app)).keyId] : [app.keyId];
  if (input.isEarlier) await setup.makeEarlier(app);
  for (let index = 0; index < ENDPOINTS; index++) {
    const receiver = receivers[index % receivers.length];
    const path = `/${app.appId}/${index}`;
    const { secret } = await setup.addEndpoint(app, receiver?.url(path) ?? '', undefined, keyIds);
    receiver?.expect(path, secret);
  }
  if (input.handsOff) return app;
  const type = input.isOfScope ? 'publication.updated' : 'ticket.created';
  await fillQueue(setup, app, Math.ceil(input.waiting / ENDPOINTS), type);
  return app;
}

interface RevokeSetup {
  revoke: RevokeFunction;
  receivers: Receiver[];
  workers: ProofNode[];
  /** Dead workers, whose logs count too. */
  gone: ProofNode[];
  newWorker(): Promise<ProofNode>;
  /** Creates tickets of the app through each worker until the returned function is called. */
  startMutations(app: App): Promise<() => void>;
}

const pathsOf = ({ appId }: App): string => `/${appId}/`;

async function until(isSo: () => boolean | undefined, message: () => string): Promise<void> {
  const deadlineMs = performance.now() + READY_WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > deadlineMs) throw new Error(message());
    await pause(2);
  }
}

/** Waits until enough deliveries are in flight and one of the app has arrived. */
function untilReady({ receivers }: RevokeSetup, app: App, input: RevokeOptions): Promise<void> {
  const inFlight = (): number => receivers.reduce((all, receiver) => all + receiver.open(), 0);
  const hasArrived = (): boolean =>
    receivers.some(({ arrivals }) => arrivals.some(({ path }) => path.startsWith(pathsOf(app))));
  return until(
    () => inFlight() >= input.inFlight && hasArrived(),
    () => `Only ${inFlight()} of ${input.inFlight} are in flight.`,
  );
}

/**
 * Suspends the worker while it holds a claimed delivery of the app that has not begun. On a busy machine another worker
 * may have taken it over just before.
 */
async function stopHolding(victim: ProofNode, app: App): Promise<void> {
  const isHolding = (): boolean => victim.holds(pathsOf(app)) > 0;
  for (;;) {
    await until(isHolding, () => 'No delivery of the app is held.');
    victim.child.kill('SIGSTOP');
    if (isHolding()) return;
    victim.child.kill('SIGCONT');
  }
}

async function requestRevocation(url: string, order: RevokeRequest): Promise<RevokeTimes> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(order) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as RevokeTimes; // the revoker's response
}

/** Revokes once, with a worker that is killed or suspended during the request. */
async function revokeOnce(
  scene: RevokeSetup,
  app: App,
  next: App,
  input: RevokeOptions,
  index: number,
): Promise<Revocation> {
  const { fault, beginsLate } = input;
  const stopMutations = input.handsOff ? await scene.startMutations(app) : undefined;
  if (stopMutations)
    await until(
      () => scene.workers.every((worker) => worker.handedOff(app.appId) > 0),
      () => 'No delivery of the app is handed off.',
    );
  const at = index % scene.workers.length;
  const victim = fault === 'none' ? undefined : scene.workers[at];
  if (!beginsLate) await untilReady(scene, app, input);
  else if (victim) await stopHolding(victim, app);
  victim?.child.kill(fault === 'killed' ? 'SIGKILL' : 'SIGSTOP');
  const { askedAtMs, answeredAtMs, referenceMs } = await scene.revoke(app, next);
  if (fault === 'killed' && victim) {
    scene.gone.push(victim);
    scene.workers[at] = await scene.newWorker();
  }
  let stood: Revocation['stood'];
  if (fault === 'stopped' && victim) {
    await pause(STANDS_BEYOND_MS);
    stood = { worker: victim, toMs: sharedMs() };
    const times = victim.timesBegun();
    if (beginsLate) victim.letGo();
    victim.child.kill('SIGCONT');
    if (beginsLate)
      await until(
        () => victim.timesBegun() > times,
        () => 'The held deliveries have not ended.',
      );
    else await pause(2 * STANDS_BEYOND_MS); // for the deliveries that it held
  }
  stopMutations?.();
  return { app, tookMs: answeredAtMs - askedAtMs, referenceMs: referenceMs ?? 0, answeredAtMs, stood };
}

function buildReport({ receivers, workers, gone }: RevokeSetup, revoked: Revocation[]): RevocationReport {
  const sent = [...workers, ...gone].flatMap((worker) => worker.sent().map((one) => ({ ...one, worker })));
  const answers = new Map(revoked.map((one) => [one.app.appId, one]));
  // A suspended worker permits nothing. Other processes cannot determine the exact time of the suspension.
  const isFrozen = (one: SentRequest & { worker: ProofNode }, { stood, answeredAtMs }: Revocation): boolean =>
    one.worker === stood?.worker && one.permittedAtMs < answeredAtMs && one.sentAtMs >= stood.toMs;
  const after = sent.flatMap((one) => {
    const revoke = answers.get(one.path.split('/')[1] ?? '');
    return revoke && one.sentAtMs > revoke.answeredAtMs ? [{ one, isFrozen: isFrozen(one, revoke) }] : [];
  });
  const sentKeys = new Set(sent.map((one) => `${one.deliveryId} ${one.attempt}`));
  const arrivals = receivers.flatMap((receiver) => receiver.arrivals);
  return {
    revoked,
    late: after.flatMap(({ one, isFrozen }) => (isFrozen ? [] : [one])),
    frozen: after.flatMap(({ one, isFrozen }) => (isFrozen ? [one] : [])),
    unknown: arrivals.map((one) => `${one.deliveryId} ${one.attempt}`).filter((key) => !sentKeys.has(key)),
    sent: sent.length,
    refused: receivers.flatMap((receiver) => receiver.refused),
    continued: 0,
    handedOff: [...workers, ...gone].reduce((all, worker) => all + worker.handedOff(), 0),
  };
}

/**
 * Removes the requests through a second key from the late ones, and counts them. The rows name the key of each attempt.
 */
async function separateKeys(setup: WebhookSetup, built: RevocationReport): Promise<RevocationReport> {
  const revokedKeys = new Set(built.revoked.map(({ app }) => app.keyId));
  const rows = await setup.rows<{ delivery_id: string; attempt_no: number; key_id: string | null }>(
    `select delivery_id, attempt_no, key_id from attempts where delivery_id = any($1::uuid[])
     union all select delivery_id, attempt_no, key_id from queue where delivery_id = any($1::uuid[]) and state = 'in_flight'`,
    [built.late.map(({ deliveryId }) => fromId('dlv', deliveryId))],
  );
  const keys = new Map(rows.map((row) => [`${toId('dlv', row.delivery_id)} ${row.attempt_no}`, row.key_id]));
  const late = built.late.filter(({ deliveryId, attempt }) => {
    const keyId = keys.get(`${deliveryId} ${attempt}`);
    return keyId === undefined || keyId === null || revokedKeys.has(keyId);
  });
  return { ...built, late, continued: built.late.length - late.length };
}

/** Revokes a key, or a scope, of one app after the other. The next app is prepared during each revocation. */
export async function watchRevokes(
  setup: WebhookSetup,
  folder: string,
  input: RevokeOptions,
): Promise<RevocationReport> {
  const answer = (): { status: number; afterMs: number } => ({ status: 200, afterMs: input.answerAfterMs });
  const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver(answer)));
  const allowHosts = receivers.map(({ host }) => host);
  const { isWithoutPermit = false, beginsLate = false, claimsRevokedKeys = false } = input;
  const { hidesClaims = false, hidesHandOffs = false } = input;
  const newWorker = (): Promise<ProofNode> =>
    startNode(input.handsOff ? 'node' : 'worker', setup.url, folder, {
      allowHosts,
      isWithoutPermit,
      beginsLate,
      hidesClaims,
      hidesHandOffs,
      claimsRevokedKeys,
    });
  const workers = await Promise.all(Array.from({ length: input.workers }, newWorker));
  const wrong = input.stopsEventsReadOnly ? ['stops-events-read-only'] : [];
  const revoker = await startScript('prove/webhooks/revoker.ts', wrong, { BENCH_DATABASE_URL: setup.url });
  const { isOfScope = false } = input;
  const revoke: RevokeFunction = (app, reference) =>
    requestRevocation(revoker.firstLine, { app, isOfScope, reference });
  async function startMutations(app: App): Promise<() => void> {
    // The key of the endpoints is revoked. Another one calls /v1, so that mutations continue.
    const caller = { ...app, ...(await setup.addKey(app)) };
    const traffic = workers.map((_, at) => startTraffic(caller, () => workers[at]?.url, CALLERS));
    return () => {
      for (const { giveUp } of traffic) giveUp();
    };
  }
  const scene: RevokeSetup = { revoke, receivers, workers, gone: [], newWorker, startMutations };
  const revoked: Revocation[] = [];
  const report = async (): Promise<RevocationReport> => {
    const built = buildReport(scene, revoked);
    return input.hasSecondKey ? separateKeys(setup, built) : built;
  };
  try {
    const bystanders: App[] = [];
    for (let index = 0; index < input.bystanders; index++) bystanders.push(await openApp(setup, receivers, input));
    let next = await openApp(setup, receivers, input);
    for (let index = 0; index < input.revokes; index++) {
      const app = next;
      next = await openApp(setup, receivers, input);
      revoked.push(await revokeOnce(scene, app, next, input, index));
      if (input.enough !== undefined && (await report()).late.length >= input.enough) break;
      if (index % 10 === 9) progress(`${revoked.length} of ${input.revokes} revokes`);
    }
    for (const app of [next, ...bystanders]) await revoke(app, null);
    await pause(100); // for requests on their way to a receiver
    return await report();
  } finally {
    if (input.beginsLate) for (const worker of scene.workers) worker.letGo();
    await Promise.all([revoker.stop(), ...scene.workers.map((worker) => worker.stop())]);
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
}

const timesOf = (durations: readonly number[]): string =>
  [50, 90, 99].map((percent) => `p${percent} ${percentile([...durations], percent).toFixed(0)} ms`).join(', ');

export function judgeRevokes(name: string, result: RevocationReport, limitMs: number): Check[] {
  const { revoked, late, frozen, unknown, sent, refused } = result;
  const stops = revoked.filter(({ stood }) => stood).length;
  const tookMs = revoked.map((one) => one.tookMs);
  const referenceMs = revoked.map((one) => one.referenceMs);
  progress(`${name}: ${timesOf(tookMs)}, ${sent} requests, ${frozen.length} of frozen processes`);
  progress(`${name}: simultaneous changes that cancel no delivery: ${timesOf(referenceMs)}`);
  const requests = `${sent} requests around ${revoked.length} revokes`;
  return [
    toCheck({
      name: `${name}: requests that began after the response`,
      broken: late.map((one) => one.path),
      of: requests,
    }),
    toCheck({ name: `${name}: arrivals that no sender recorded`, broken: unknown, of: requests }),
    toCheck({ name: `${name}: arrivals that the public library does not verify`, broken: refused, of: requests }),
    {
      name: `${name}: requests of a process that was suspended between the pre-send check and the write`,
      ok: frozen.length <= stops,
      figure: `${frozen.length} (at most one for each of ${stops} stops)`,
    },
    atMost(`${name}: response to the revocation, p99`, percentile(tookMs, 99), limitMs, 'ms'),
  ];
}
