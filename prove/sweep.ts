// `npm run prove -- sweep`: the sweeps of the test suite (server/test/sweep.test.ts and sweep-production.test.ts) with
// every cell. It takes about 7 minutes.
import { conclude, runTests } from './kit.ts';

const files = ['server/test/sweep.test.ts', 'server/test/sweep-production.test.ts'];
const ok = await runTests(['--project', 'proofs', ...files], { SLIPWAY_SWEEP_ONE_IN: '1' });
conclude('sweep', [
  {
    name: 'each operation answers as the model expects',
    ok,
    figure: 'every role, state, scope and owner; in production every statement, cap, approval and restriction',
  },
]);
