// A worker that delivers, as a separate process: `dispatch.ts HOST,HOST` on the database in the environment.

import { limitHeapGrowth } from '../server/src/kit/flow/heap-growth.ts';
import { createOutboundClient } from '../server/src/kit/outbound/outbound.ts';
import { startDispatcher } from '../server/src/webhooks/dispatch/index.ts';
import { openBenchPlane } from './plane.ts';

limitHeapGrowth();

const { plane, dispatch } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '');
const outbound = createOutboundClient({ allowHosts: (process.argv[2] ?? '').split(',') });
const onLine = (line: object): void => ('error' in line ? console.error(line.error) : undefined);
const dispatcher = await startDispatcher({
  environment: 'sandbox',
  db: dispatch,
  outbound,
  masterKeys: plane.secrets.masterKeys,
  log: onLine,
});
console.log('a worker');
process.on('SIGTERM', () => void dispatcher.stop().then(() => process.exit(0)));
