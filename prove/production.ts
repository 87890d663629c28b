// `npm run prove -- production [--seconds 40] [--kills 5] [--postgres-kills 3] [--revokes 20]`: the guarantees of a
// call through production, with processes. Under load the upstream API responds wrongly, breaks off, never ends, is
// slow, unreachable or suspended. Nodes and Postgres are killed during mutations, access ends while a node is
// suspended, and the secrets of one environment are tried in the other. Run `npm run build` first. It takes about 8
// minutes.
import { setTimeout as pause } from 'node:timers/promises';
import { progress, temporaryFolder } from '../bench/kit.ts';
import { atMost, type Check, conclude, numberAfter } from './kit.ts';
import { type ProductionCallers, repeatMutations, startCallers } from './production/callers.ts';
import { checkPlaneIsolation } from './production/other-plane.ts';
import { watchRevokes } from './production/revokes.ts';
import { type ProductionSetup, type ReceivedMutation, startProductionSetup } from './production/setup.ts';

const SECONDS = numberAfter('--seconds', 40);
const KILLS = numberAfter('--kills', 5);
const POSTGRES_KILLS = numberAfter('--postgres-kills', 3);
const REVOKES = numberAfter('--revokes', 20);
const COUNT = { readers: 6, writers: 12 };
/**
 * The pause before a mutation with an unknown outcome may be repeated; and after the death of its node, the lease: the
 * time of the request and five seconds.
 */
const PAUSE_MS = 1_000;
const LEASE_MS = 15_000;
/** A tolerance for two clocks of one machine, and for entries that are written after they were received. */
const SLACK_MS = 300;

const none = (name: string, found: readonly string[]): Check => ({
  name,
  ok: found.length === 0,
  figure: found.length === 0 ? 'none' : `${found.length}, the first: ${found[0]}`,
});

/** Returns mutations that reached the upstream API again before the pause was over. */
function findEarlyRepeats(reached: readonly ReceivedMutation[]): string[] {
  const last = new Map<string, number>();
  return reached.flatMap(({ subject, atMs, way }) => {
    const beforeMs = last.get(subject);
    last.set(subject, atMs);
    return beforeMs !== undefined && atMs - beforeMs < PAUSE_MS - SLACK_MS ? [`${subject}, then ${way}`] : [];
  });
}

function findSubjectsWithTwoKeys(reached: readonly ReceivedMutation[]): string[] {
  const keys = new Map(reached.map(({ subject, key }) => [subject, key]));
  return reached.flatMap(({ subject, key }) => (keys.get(subject) === key ? [] : [subject]));
}

/** Runs callers during a disturbance, and judges them afterwards. */
async function runDisturbance(
  name: string,
  setup: ProductionSetup,
  disturb: (callers: ProductionCallers) => Promise<void>,
): Promise<Check[]> {
  progress(`--- ${name}`);
  const { upstream, postgres } = setup;
  const before = { reached: upstream.reached().length, tickets: await upstream.be('honest') };
  const [serverId = ''] = upstream.serverIds;
  const callers = startCallers(setup, serverId, COUNT);
  await pause(2_000);
  await disturb(callers);
  await upstream.be('honest');
  await callers.stop();
  const again = await repeatMutations(setup, serverId, callers.made);
  const tickets = (await upstream.be('honest')) - before.tickets;
  progress([...callers.answers].map(([answer, count]) => `${count} × ${answer}`).join(', '));
  const pending = await postgres.query('select from forwarded_mutations', 'slipway_production');
  const reached = upstream.reached().slice(before.reached);
  const ticketCount = new Set(callers.made.values()).size;
  return [
    none(`${name}: mutations forwarded under two keys`, findSubjectsWithTwoKeys(reached)),
    none(`${name}: forwarded again too early`, findEarlyRepeats(reached)),
    {
      name: `${name}: each mutation executed once`,
      ok: tickets === callers.made.size && ticketCount === tickets && ticketCount > COUNT.writers,
      figure: `${callers.made.size} ended as ${ticketCount} tickets, the upstream API created ${tickets}, forwarded ${reached.length} times`,
    },
    none(`${name}: unexpected responses`, callers.wrong),
    none(`${name}: responses that a repeat does not return again`, again),
    atMost(`${name}: mutations without an end`, pending.length, 0, 'mutations'),
  ];
}

async function checkMisbehaviour(setup: ProductionSetup): Promise<Check[]> {
  let unknown: string[] = [];
  const checks = await runDisturbance('a faulty upstream API', setup, async (callers) => {
    await setup.upstream.be('wild');
    await pause(SECONDS * 1_000);
    ({ unknown } = callers);
  });
  const other = unknown.filter((answer) => answer !== '409 idempotency_in_progress');
  const wrong = await setup.postgres.query(
    `select problem_code, error_context->'problem'->>'detail' as detail from request_records
     where problem_code in ('upstream_invalid', 'timeout')
       and coalesce(error_context->'problem'->>'detail', '') not like 'The upstream API%' limit 10`,
    'slipway_production',
  );
  const unnamedCause = `records that do not name the upstream API as the cause`;
  const waits = `immediate repeats with an unknown outcome (${unknown.length}) without the advice to wait`;
  return [
    ...checks,
    none(waits, other),
    none(
      unnamedCause,
      wrong.map(({ problem_code, detail }) => `${problem_code} ${detail}`),
    ),
  ];
}

async function killNodes(setup: ProductionSetup): Promise<Check[]> {
  const held: string[] = [];
  const checks = await runDisturbance('a killed node', setup, async (callers) => {
    for (let kill = 0; kill < KILLS; kill++) {
      await setup.upstream.be('slow');
      await pause(1_500 + Math.random() * 1_000);
      const node = setup.nodes[kill % 2 === 0 ? 0 : 1];
      const [atMs, from] = [Date.now(), setup.upstream.reached().length];
      node.run.child.kill('SIGKILL');
      await node.run.exited;
      await node.start();
      // The mutations in flight of either node; a repeated one belonged to the killed node.
      const onTheWay = setup.upstream.reached().filter((one) => one.atMs > atMs - 400 && one.atMs <= atMs);
      await setup.upstream.be('honest');
      await pause(LEASE_MS + PAUSE_MS);
      for (const first of onTheWay) {
        const again = setup.upstream
          .reached()
          .slice(from)
          .find(({ subject, atMs: later }) => subject === first.subject && later > atMs);
        if (!again) continue;
        const afterMs = again.atMs - first.atMs;
        held.push(`${afterMs} ms${afterMs < LEASE_MS - SLACK_MS ? ' too early' : ''}`);
      }
      progress(`kill ${kill + 1} of ${KILLS}, ${held.length} sent again, ${callers.made.size} mutations`);
    }
  });
  return [
    ...checks,
    {
      name: 'a killed node: mutations forwarded again after the lease',
      ok: held.length > 0 && !held.some((one) => one.endsWith('early')),
      figure: held.join(', '),
    },
  ];
}

const killPostgres = (setup: ProductionSetup): Promise<Check[]> =>
  runDisturbance('Postgres killed', setup, async () => {
    for (let kill = 0; kill < POSTGRES_KILLS; kill++) {
      await setup.upstream.be('slow');
      await pause(1_000 + Math.random() * 1_000);
      await setup.postgres.kill();
      await pause(500 + Math.random() * 2_000);
      await setup.postgres.restart();
      await setup.upstream.be('honest');
      await pause(5_000);
    }
  });

async function checkUpstreamOutage(setup: ProductionSetup): Promise<Check[]> {
  const unreachable = await runDisturbance('an unreachable upstream API', setup, async () => {
    await setup.upstream.be('away');
    await pause(6_000);
    await setup.upstream.be('honest');
    await pause(4_000);
  });
  const suspended = await runDisturbance('a suspended upstream API', setup, async () => {
    setup.upstream.signal('SIGSTOP');
    await pause(12_000);
    setup.upstream.signal('SIGCONT');
    await pause(4_000);
  });
  // The suspended upstream API processes requests together when it resumes, so the check of the pause does not apply.
  return [...unreachable, ...suspended.filter(({ name }) => !name.endsWith('forwarded again too early'))];
}

const folder = await temporaryFolder();
const setup = await startProductionSetup(folder.path);
const checks: Check[] = [];
try {
  checks.push(...(await checkMisbehaviour(setup)));
  checks.push(...(await checkUpstreamOutage(setup)));
  checks.push(...(await killNodes(setup)));
  checks.push(...(await killPostgres(setup)));
  progress('--- revokes');
  checks.push(...(await watchRevokes(setup, REVOKES)));
  progress('--- the other environment');
  checks.push(...(await checkPlaneIsolation(setup)));
} finally {
  await setup.remove();
  await folder.remove();
}
conclude('production', checks);
