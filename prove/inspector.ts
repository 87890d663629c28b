// `npm run prove -- inspector [--rounds 50] [--only crashes|mutant|canaries]`: the guarantees of the Request Inspector,
// with processes that are killed, and with requests that contain secrets.
import { join } from 'node:path';
import { progress, startScript, temporaryFolder } from '../bench/kit.ts';
import { startBenchDatabase } from '../bench/world.ts';
import { randomShare } from '../server/src/kit/crypto/ids.ts';
import { sweepCanaries } from './inspector/canaries.ts';
import { type CrashRound, killUnderLoad } from './inspector/crashes.ts';
import { type Check, conclude, numberAfter } from './kit.ts';
import { openWebhookSetup } from './webhooks/setup.ts';

const ROUNDS = numberAfter('--rounds', 50);
const MUTANT_ROUNDS = 3;
const CONNECTIONS = 48;
const LONGEST_MS = 1_500;
const at = process.argv.indexOf('--only');
const only = at === -1 ? undefined : process.argv[at + 1];
const isAsked = (part: string): boolean => only === undefined || only === part;

const folder = await temporaryFolder();
const database = await startBenchDatabase(folder.path);
const setup = await openWebhookSetup(database.url, database.superuserUrl);
const app = await setup.addApp();

async function rounds(count: number, isEarly: boolean): Promise<CrashRound[]> {
  const done: CrashRound[] = [];
  for (let turn = 1; turn <= count; turn++) {
    const afterMs = randomShare() * LONGEST_MS;
    const round = await killUnderLoad(setup, app, { folder: folder.path, connections: CONNECTIONS, afterMs, isEarly });
    const { authenticated, unauthenticated, givenUp, lost, uncounted } = round;
    progress(
      `round ${turn}: ${authenticated.length} + ${unauthenticated.length} answered, ${givenUp} given up, ${lost.length + uncounted} lost`,
    );
    done.push(round);
  }
  return done;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function proveCrashes(): Promise<Check[]> {
  const done = await rounds(ROUNDS, false);
  const answered = sum(done.map(({ authenticated, unauthenticated }) => authenticated.length + unauthenticated.length));
  const lost = sum(done.map((round) => round.lost.length + round.uncounted));
  const givenUp = sum(done.map((round) => round.givenUp));
  return [
    {
      name: 'answered requests without a record or a count',
      ok: lost === 0 && answered > 0,
      figure: `${lost} of ${answered}`,
    },
    {
      name: 'records lost because of a commit later than 500 ms',
      ok: givenUp < answered / 100,
      figure: `${givenUp} of ${answered}`,
    },
  ];
}

async function proveMutant(): Promise<Check[]> {
  const lost = sum((await rounds(MUTANT_ROUNDS, true)).map((round) => round.lost.length));
  return [
    { name: 'detects a node that answers before its records are committed', ok: lost > 0, figure: `${lost} lost` },
  ];
}

async function proveCanaries(): Promise<Check[]> {
  const { secret } = await setup.addEndpoint(app, 'http://127.0.0.1:1/hooks');
  const env = { BENCH_DATABASE_URL: database.url, BENCH_RATE: '1000000' };
  const node = await startScript('prove/inspector/node.ts', [join(folder.path, 'sweep')], env);
  const checks = await sweepCanaries(setup, app, node.firstLine, {
    key: app.token,
    'signing secret': secret.reveal(),
  });
  await node.stop();
  return checks;
}

const checks: Check[] = [];
if (isAsked('canaries')) checks.push(...(await proveCanaries()));
if (isAsked('crashes')) checks.push(...(await proveCrashes()));
if (isAsked('mutant')) checks.push(...(await proveMutant()));
await setup.close();
await database.stop();
await folder.remove();
conclude('inspector', checks);
