// `npm run prove -- short`: the short proofs of the test suite (the projects `proofs` and `proofs-start` of
// vitest.config.ts): sweep, fuzz, crash points of webhooks, mutants of revocation, a model of installations, the large
// world, backup and restore, several nodes, production as processes. Its last line is `N passed, N failed`. It takes
// about 5 minutes.
import { spawn } from 'node:child_process';

// prove.mjs has changed to the repository's folder.
const args = ['scripts/test.mjs', '--project', 'proofs', '--project', 'proofs-start'];
const child = spawn(process.execPath, args, { stdio: ['ignore', process.argv.includes('--json') ? 2 : 1, 2] });
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
