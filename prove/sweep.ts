// `npm run prove -- sweep`: the sweeps of the test suite (server/test/sweep.test.ts and sweep-production.test.ts, and
// those of an own contract) with every cell. It takes about 15 minutes.
import { conclude, runTests } from './kit.ts';

const files = ['server/test/sweep.test.ts', 'server/test/sweep-production.test.ts'];
const OWN = ['server/test/own-contract-sweep.test.ts', 'server/test/own-contract-sweep-production.test.ts'];
const settings = { SLIPWAY_SWEEP_ONE_IN: '1' };
const ok = await runTests(['--project', 'proofs', ...files], settings);
const isOwnOk = await runTests(['--project', 'apart', ...OWN], settings);
conclude('sweep', [
  {
    name: 'each operation answers as the model expects',
    ok,
    figure: 'every role, state, scope and owner; in production every statement, cap, approval and restriction',
  },
  {
    name: 'each operation of an own contract answers as the model expects',
    ok: isOwnOk,
    figure: 'as above, with granting objects, objects of the account and parents in bodies',
  },
]);
