// `npm run prove -- nodes [FILE ...]`: the end-to-end suite against several nodes instead of one process: three of the
// API, two workers and a Console behind a plain proxy (`npm run nodes`). It omits tests of a single process: its
// Postgres, its start and its shutdown.
import { conclude, runTests } from './kit.ts';

const FILES = ['test/browser', 'test/readme.test.ts'];

const chosen = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const passed = await runTests(['--project', 'browser', '--project', 'start', ...(chosen.length > 0 ? chosen : FILES)], {
  SLIPWAY_TEST_NODES: 'on',
});
conclude('nodes', [{ name: 'the end-to-end suite', ok: passed, figure: passed ? 'passed' : 'failed' }]);
