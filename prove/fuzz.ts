// `npm run prove -- fuzz [--seed N] [--runs N]`: the fuzz test (server/test/fuzz.test.ts) with a new seed and more runs
// per operation. It prints the seed, which reproduces the same requests.
import { randomInt } from 'node:crypto';
import { conclude, numberAfter, runTests } from './kit.ts';

const seed = numberAfter('--seed', randomInt(2 ** 31));
const runs = numberAfter('--runs', 300);
console.error(`npm run prove -- fuzz --seed ${seed} --runs ${runs}`);

const ok = await runTests(['--project', 'proofs', 'server/test/fuzz.test.ts'], {
  SLIPWAY_FUZZ_SEED: String(seed),
  SLIPWAY_FUZZ_RUNS: String(runs),
});
conclude('fuzz', [
  { name: 'every operation fulfils the general rules', ok, figure: `seed ${seed}, ${runs} requests per operation` },
]);
