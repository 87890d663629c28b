// `npm run prove -- start`: a restart takes at most 1.5 s, and an idle process uses at most 200 MB. When Postgres is
// suspended, the API answers 503 `unavailable` within one second and recovers without intervention. The command line's
// help takes at most 120 ms of processor time.
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../bench/kit.ts';
import {
  type BenchServer,
  createBenchServer,
  postgresPid,
  readNote,
  residentMb,
  restarts,
  signIn,
  start,
} from '../bench/server.ts';
import { signalFamily } from '../test/external-postgres.ts';
import { measureHelpMs } from '../test/measure-help.ts';
import { atMost, type Check, conclude } from './kit.ts';

const ROUNDS = 5;
const RESTART_MS = 1_500;
const HELP_MS = 120;
const MEMORY_MB = 200;
const UNAVAILABLE_MS = 1_000;
const RECOVERY_MS = 5_000;
const IDLE_MS = 10_000;

interface Ask {
  status: number;
  code: unknown;
  tookMs: number;
}

async function ask({ apiUrl }: BenchServer, key: string): Promise<Ask> {
  const begunMs = performance.now();
  const response = await fetch(`${apiUrl}/v1/servers`, { headers: { authorization: `Bearer ${key}` } });
  const body = (await response.json()) as { code?: unknown };
  return { status: response.status, code: body.code, tookMs: performance.now() - begunMs };
}

async function frozen(at: BenchServer, key: string): Promise<Check[]> {
  const postgres = postgresPid(at) ?? 0;
  await ask(at, key);
  signalFamily(postgres, 'SIGSTOP');
  const answers: Ask[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) answers.push(await ask(at, key));
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => ask(at, key)))));
  } finally {
    signalFamily(postgres, 'SIGCONT');
  }
  const begunMs = performance.now();
  while ((await ask(at, key)).status !== 200 && performance.now() - begunMs < RECOVERY_MS) await pause(10);
  const recoveredMs = performance.now() - begunMs;
  const right = answers.filter(({ status, code }) => status === 503 && code === 'unavailable').length;
  const slowestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
  return [
    {
      name: 'each request is answered 503 unavailable while Postgres is suspended',
      ok: right === answers.length,
      figure: `${right} of ${answers.length}`,
    },
    atMost('the slowest of these responses', slowestMs, UNAVAILABLE_MS, 'ms'),
    atMost('recovers without help', recoveredMs, RECOVERY_MS, 'ms'),
  ];
}

const at = await createBenchServer();
const command = [process.execPath, 'scripts/start.mjs'] as const;
const checks: Check[] = [];
checks.push(atMost('the help, of a processor', Math.min(...(await measureHelpMs(ROUNDS))), HELP_MS, 'ms'));
try {
  const first = await start(at, command);
  const { key, link } = await readNote(at);
  await signIn(at, link);
  await first.stop();
  checks.push(atMost('restart, median of 5', median(await restarts(at, command, ROUNDS)), RESTART_MS, 'ms'));
  const running = await start(at, command);
  await pause(IDLE_MS); // measure an idle process
  checks.push(atMost('resident memory of the idle process', residentMb(running.child.pid), MEMORY_MB, 'MB'));
  checks.push(...(await frozen(at, key)));
  await running.stop();
} finally {
  at.remove();
}
conclude('start', checks);
