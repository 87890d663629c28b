// `npm run prove -- failover [--rounds 5] [--only NAME,NAME] [--records fast] [--no-mutant]`: failovers of a
// replicated Postgres keep every promise. Three Postgres with Patroni, etcd and haproxy run the files of
// deploy/high-availability. API nodes and workers use haproxy, a URL of several hosts, and a direct connection to the
// primary; a Console and two nodes of production run too. The ledger of all answers is kept in this process. A NAME is a
// fault: crash, kill, stop, patroni, switchover, etcd, standby, disk. With stop and patroni, the previous primary
// continues: nodes and a worker without the fence of authority must be detected there. Run `npm run build` first. Five
// rounds of all faults take about an hour.
import { chmodSync, rmSync } from 'node:fs';
import { argument, progress, temporaryFolder } from '../bench/kit.ts';
import { startCallers } from './failover/callers.ts';
import { atEnd } from './failover/children.ts';
import { startCluster } from './failover/cluster.ts';
import { FAULTS, type Fault } from './failover/faults.ts';
import { startForwarding } from './failover/forwarding.ts';
import { judgeFault, judgeLosses } from './failover/judge.ts';
import { DIRECT, type Ledger } from './failover/ledger.ts';
import { MissingProgram } from './failover/programs.ts';
import { EVENTS_PATH, type FailoverSetup, findLosses, type Round, runRound } from './failover/round.ts';
import { startService } from './failover/service.ts';
import { atLeast, type Check, conclude, none, numberAfter } from './kit.ts';
import { startReceiver } from './webhooks/receiver.ts';
import { openWebhookSetup } from './webhooks/setup.ts';

const ROUNDS = numberAfter('--rounds', 5);
const RECORDS = argument('--records') ?? 'durable';
const only = argument('--only')?.split(',');
const faults = FAULTS.filter(({ name }) => only?.includes(name) !== false);
const unknown = only?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
if (unknown.length > 0 || !(ROUNDS >= 1)) {
  console.error(
    `--only must name faults (${FAULTS.map(({ name }) => name).join(', ')}), and --rounds must be at least 1.`,
  );
  process.exit(1);
}
/** So many accepted requests or deliveries are no coincidence. */
const MUTANT_ACCEPTED = 5;

const describeError = (error: unknown): string => String(error instanceof Error ? error.stack : error);

async function start(folder: string): Promise<FailoverSetup> {
  const cluster = await startCluster(folder);
  const receiver = await startReceiver(() => ({ status: 200, afterMs: 0 }));
  const settings = { SLIPWAY_SANDBOX_RECORDS: RECORDS };
  const service = await startService(cluster, { folder, receiver: receiver.host, settings });
  const webhooks = await openWebhookSetup(service.databaseUrl, service.superuserUrl);
  const app = await webhooks.addApp();
  const { secret } = await webhooks.addEndpoint(app, receiver.url(EVENTS_PATH));
  receiver.expect(EVENTS_PATH, secret);
  const forwarding = await startForwarding(cluster, folder);
  return { cluster, service, callers: startCallers(service, app, receiver), receiver, webhooks, app, forwarding };
}

/** Runs a fault whose previous primary continues, with directly connected processes that confirm nothing. */
async function proveMutant(setup: FailoverSetup, fault: Fault): Promise<Check[]> {
  progress(`${fault.title}, with directly connected processes without the fence`);
  const { ledger, watched, forwarded } = await runRound(setup, fault, { isUnfenced: true });
  const accepted = ledger.accepted.filter(({ name }) => name === DIRECT).length;
  return [
    atLeast(
      `${fault.title}, detected: a node without the fence accepts revoked keys`,
      accepted,
      MUTANT_ACCEPTED,
      'accepted requests',
    ),
    atLeast(
      `${fault.title}, detected: a worker without the fence delivers through revoked keys`,
      watched.late.length,
      MUTANT_ACCEPTED,
      'deliveries',
    ),
    atLeast(
      `${fault.title}, detected: a node of production without the fence forwards after the end of access`,
      forwarded.late.length,
      MUTANT_ACCEPTED,
      'changes',
    ),
    none(
      `${fault.title}, without the fence: another node accepts revoked keys meanwhile`,
      ledger.accepted.length - accepted,
      `${ledger.refused} requests`,
    ),
  ];
}

async function prove(setup: FailoverSetup): Promise<Check[]> {
  const isDurable = RECORDS !== 'fast';
  const checks: Check[] = [];
  const ledgers: Ledger[] = [];
  for (const fault of faults) {
    const rounds: Round[] = [];
    const errors: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      progress(`${fault.title}, round ${round} of ${ROUNDS}`);
      // An aborted round is a failure and does not end the others.
      await runRound(setup, fault).then(
        (one) => rounds.push(one),
        (error) => errors.push(`round ${round}: ${describeError(error)}`),
      );
    }
    ledgers.push(...rounds.map(({ ledger }) => ledger));
    checks.push({
      name: `${fault.title}: rounds to the end`,
      ok: rounds.length === ROUNDS,
      figure: [`${rounds.length} of ${ROUNDS}`, ...errors].join('; '),
    });
    if (rounds.length > 0) checks.push(...judgeFault(fault, rounds, isDurable));
  }
  for (const fault of process.argv.includes('--no-mutant') ? [] : faults) {
    if (!fault.continuePrimary) continue;
    const proved = proveMutant(setup, fault).catch((error): Check[] => [
      { name: `${fault.title}, without the fence: the round to its end`, ok: false, figure: describeError(error) },
    ]);
    checks.push(...(await proved));
  }
  // A later failover could lose again what an earlier one kept.
  const all = [];
  for (const ledger of ledgers) all.push({ ledger, ...(await findLosses(setup, ledger)) });
  const { arrivals, refused } = setup.receiver;
  checks.push(
    ...judgeLosses('after all rounds', all, isDurable),
    none('deliveries with an invalid signature', refused.length, `${arrivals.length}`),
    {
      name: 'members that had to be copied again',
      ok: true,
      figure: `${setup.cluster.copiedAgain()}`,
    },
  );
  return checks;
}

const { path: folder } = await temporaryFolder();
// The user that runs Postgres passes through if the proof runs as root.
chmodSync(folder, 0o711);
atEnd(() => {
  if (process.exitCode) console.error(`The logs are in ${folder}.`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
try {
  const setup = await start(folder);
  conclude('failover', await prove(setup).finally(() => setup.callers.stop()));
} catch (error) {
  console.error(error instanceof MissingProgram ? error.message : error);
  process.exitCode = 1;
}
process.exit(); // ends all other processes
