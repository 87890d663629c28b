// The measured product, as a separate process: `product.ts all|api|worker HOST,HOST` on the database in the
// environment. It starts the parts of that role, without the Console. Prints its address, or that it is a worker.

import { createLifetime } from '../server/src/boot/process.ts';
import { startSandboxWorker } from '../server/src/boot/sandbox-worker.ts';
import { limitHeapGrowth } from '../server/src/kit/flow/heap-growth.ts';
import type { Log } from '../server/src/kit/telemetry/log.ts';
import { createSandboxApi } from '../server/src/listeners/sandbox-api.ts';
import { DEFAULT_RETENTION } from '../server/src/platform/housekeeping/index.ts';
import { openBenchPlane } from './plane.ts';

const [role = 'all', hosts = ''] = process.argv.slice(2);
if (role === 'worker') limitHeapGrowth();
const open = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '');
await open.warm();
const log: Log = { info: () => {}, error: (message, error) => console.error(message, error) };
const lifetime = createLifetime(log);
if (role !== 'api') {
  const outwards = { webhookAllowHosts: hosts.split(','), webhookAllowCidrs: [], retention: DEFAULT_RETENTION };
  await startSandboxWorker(
    open,
    { ...outwards, eventScopes: 'enforced' },
    { log, countJobFailure: () => {} },
    lifetime,
  );
}
if (role === 'worker') console.log('a worker');
else {
  const options = {
    recorder: open.recorder,
    trustedProxies: [],
    onInternalError: (error: unknown) => console.error(error),
  };
  console.log(await createSandboxApi(open.plane, options).listen({ host: '127.0.0.1', port: 0 }));
}
process.on('SIGTERM', () => void lifetime.stop().then(() => process.exit(0)));
