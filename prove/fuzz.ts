// `npm run prove -- fuzz [--seed N] [--runs N]`: the fuzz of the test suite (server/test/fuzz.test.ts) with a fresh seed and
// more runs for each operation. It prints the seed; the same seed makes the same requests again.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { conclude, numberAfter } from './kit.ts';

const seed = numberAfter('--seed', randomInt(2 ** 31));
const runs = numberAfter('--runs', 300);
console.error(`npm run prove -- fuzz --seed ${seed} --runs ${runs}`);

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', '--project', 'wide', 'server/test/fuzz.test.ts'], {
  env: { ...process.env, SLIPWAY_FUZZ_SEED: String(seed), SLIPWAY_FUZZ_RUNS: String(runs) },
  stdio: ['ignore', process.argv.includes('--json') ? 2 : 1, 2],
});
const code = await new Promise((resolve) => child.once('exit', resolve));
conclude('fuzz', [
  { name: 'every operation keeps the laws', ok: code === 0, figure: `seed ${seed}, ${runs} requests an operation` },
]);
