// Faults during changes of access, with a Postgres that can be killed: a node is suspended, or the database freezes,
// dies or cuts its connections. In every case no request is allowed without a confirmation, the response is a quick
// 503, and everything recovers without intervention.
import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '../../bench/kit.ts';
import { migrate } from '../../server/src/kit/db/migrate.ts';
import { changesOf, measureChange, type Subject } from '../../server/test/access-changes.ts';
import { startProxy } from '../../server/test/freezable-proxy.ts';
import { type AccessHistory, summarise, violationsOf } from '../../server/test/linearizable.ts';
import { startExternalPostgres } from '../../test/external-postgres.ts';
import { atMost, type Check } from '../kit.ts';
import { NODES, type Service, startService } from './service.ts';

const UNAVAILABLE_MS = 1_000;
/** The timeouts of a statement and of the record. */
const TIMEOUT_MS = 2_500;
const RECOVERY_MS = 5_000;
/** A revocation waits for a mutation of a suspended node until Postgres ends the mutation. */
const ANSWERED_MS = 5_000;
/** The duration of the fault. */
const DOWN_MS = 1_500;
const LOAD = { nodes: NODES, readers: 4 * NODES, questions: 100 };
const WATCHED = new Set([
  'a key is revoked',
  'an installation is paused',
  'a scope is revoked',
  'an installation is revoked',
  'an app is suspended',
]);

interface Fault {
  name: string;
  /** The number of nodes that cannot respond meanwhile, and so have no time limit. */
  silent?: number;
  inject(): unknown;
  repair(): unknown;
  /** True if the fault begins after the change was answered, because no change is possible during it. */
  isAfter?: boolean;
}

interface ObservedCall {
  beganMs: number;
  tookMs: number;
  status: number;
}

async function prove(service: Service, fault: Fault): Promise<Check[]> {
  progress(`across changes of access: ${fault.name}`);
  const subject = await service.newSubject();
  const failures: ObservedCall[] = [];
  const { ask } = subject.testEnvironment;
  subject.testEnvironment.ask = async (node, token, question) => {
    const beganMs = performance.now();
    const answer = await ask(node, token, question);
    if (node !== fault.silent && answer.status >= 500) {
      failures.push({ beganMs, tookMs: performance.now() - beganMs, status: answer.status });
    }
    return answer;
  };
  const histories: (AccessHistory & { writtenAfter: number })[] = [];
  const recoveredMs: number[] = [];
  const late: ObservedCall[] = [];
  const remaining = new Set(WATCHED);
  for await (const change of changesOf(subject)) {
    if (remaining.size === 0) break;
    if (!remaining.delete(change.kind)) {
      if (!change.isDated) await change.make();
      continue;
    }
    let struckAtMs = Infinity;
    const strike = async (): Promise<void> => {
      await fault.inject();
      struckAtMs = performance.now();
    };
    const watched = {
      ...change,
      async make() {
        if (!fault.isAfter) await strike();
        return change.make();
      },
    };
    const onAnswered = async (): Promise<void> => {
      if (fault.isAfter) {
        await strike();
        await pause(DOWN_MS);
      }
      await fault.repair();
      recoveredMs.push(await untilConfirmed(subject, change.token));
    };
    histories.push(await measureChange(subject, watched, { ...LOAD, onAnswered }));
    // A request that began before the fault may be in any state.
    late.push(...failures.filter(({ beganMs }) => beganMs > struckAtMs));
    failures.length = 0;
  }
  return judgeFault(fault.name, histories, late, recoveredMs);
}

/** Returns the time until every node confirms access again, with any result. */
async function untilConfirmed({ testEnvironment }: Subject, token: string): Promise<number> {
  const beganMs = performance.now();
  const question = { scope: undefined, method: 'GET', path: '/v1/me' } as const;
  for (let node = 0; node < NODES; node++) {
    while ((await testEnvironment.ask(node, token, question)).status >= 500) await pause(10);
  }
  return performance.now() - beganMs;
}

const slowest = (failures: readonly ObservedCall[], status: number): number =>
  failures.reduce((most, one) => (one.status === status ? Math.max(most, one.tookMs) : most), 0);

function judgeFault(
  name: string,
  histories: readonly (AccessHistory & { writtenAfter: number })[],
  failures: readonly ObservedCall[],
  recoveredMs: readonly number[],
): Check[] {
  const sum = summarise(histories);
  const violations = violationsOf(sum);
  const writes = histories.reduce((all, { writtenAfter }) => all + writtenAfter, 0);
  const answeredMs = Math.max(...histories.map((history) => history.answeredMs - history.askedMs));
  const isProved = violations === 0 && writes === 0 && sum.begunAfter > 0;
  return [
    {
      name: `${name}: no request is allowed wrongly, nothing is written afterwards`,
      ok: isProved,
      figure: `${violations} violations, ${writes} writes; ${sum.questions} requests, ${sum.unconfirmed} of them 503`,
    },
    atMost(`${name}: response to the change`, answeredMs, ANSWERED_MS, 'ms'),
    atMost(`${name}: the slowest 503 (access not confirmed)`, slowest(failures, 503), UNAVAILABLE_MS, 'ms'),
    atMost(`${name}: the slowest 504 (a mutation behind the change)`, slowest(failures, 504), TIMEOUT_MS, 'ms'),
    atMost(`${name}: recovers without help`, Math.max(...recoveredMs), RECOVERY_MS, 'ms'),
  ];
}

export async function proveFaults(): Promise<Check[]> {
  const postgres = await startExternalPostgres();
  const url = postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL;
  await migrate(url, new URL('../../server/migrations/plane', import.meta.url).pathname);
  const proxy = await startProxy(url);
  // The last node has a separate connection to the database, which can freeze.
  const last = NODES - 1;
  const service = await startService([...Array(last).fill(url), proxy.url], postgres.superuserUrl);
  const stopped = service.nodes[1]?.child;
  const faults: Fault[] = [
    {
      name: 'a node is suspended',
      silent: 1,
      inject: () => stopped?.kill('SIGSTOP'),
      repair: () => stopped?.kill('SIGCONT'),
    },
    { name: 'the connections of a node freeze', inject: proxy.freeze, repair: proxy.thaw },
    {
      name: 'all connections are cut',
      inject: () =>
        service.database.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'slipway_sandbox'",
        ),
      repair: () => {},
    },
    { name: 'Postgres is suspended', inject: postgres.freeze, repair: postgres.thaw, isAfter: true },
    { name: 'Postgres is killed and restarted', inject: postgres.kill, repair: postgres.restart, isAfter: true },
  ];
  const checks: Check[] = [];
  try {
    for (const fault of faults) checks.push(...(await prove(service, fault)));
  } finally {
    stopped?.kill('SIGCONT');
    await service.stop();
    await proxy.close();
    await postgres.remove();
  }
  return checks;
}
