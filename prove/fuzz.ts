// `npm run prove -- fuzz [--seed N] [--runs N]`: the fuzz tests (server/test/fuzz.test.ts, and those of own contracts) with
// a new seed and more runs per operation. It prints the seed, which reproduces the same requests.
import { randomInt } from 'node:crypto';
import { conclude, numberAfter, runTests } from './kit.ts';

const seed = numberAfter('--seed', randomInt(2 ** 31));
const runs = numberAfter('--runs', 300);
console.error(`npm run prove -- fuzz --seed ${seed} --runs ${runs}`);

const settings = { SLIPWAY_FUZZ_SEED: String(seed), SLIPWAY_FUZZ_RUNS: String(runs) };
const OWN = ['server/test/own-contract-fuzz.test.ts', 'server/test/own-contract-grants-fuzz.test.ts'];
const ok = await runTests(['--project', 'proofs', 'server/test/fuzz.test.ts'], settings);
const isOwnOk = await runTests(['--project', 'apart', ...OWN], settings);
const figure = `seed ${seed}, ${runs} requests per operation`;
conclude('fuzz', [
  { name: 'every operation fulfils the general rules', ok, figure },
  { name: 'every operation of own contracts fulfils the general rules', ok: isOwnOk, figure },
]);
