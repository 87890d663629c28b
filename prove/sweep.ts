// `npm run prove -- sweep`: the sweep of the test suite (server/test/sweep.test.ts) with every cell of the management API.
import { conclude, runTests } from './kit.ts';

const ok = await runTests(['--project', 'database', 'server/test/sweep.test.ts'], { SLIPWAY_SWEEP_ONE_IN: '1' });
conclude('sweep', [
  { name: 'each operation answers what the model expects', ok, figure: 'every role, state, scope and owner' },
]);
