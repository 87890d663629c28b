// The mutant: a node of /v1 with a worker whose commits do not wait for the standby, so they take every server for the
// primary. Prints the address of the node.
import { openBenchPlane } from '../../bench/plane.ts';
import { createOutboundClient } from '../../server/src/kit/outbound/outbound.ts';
import { createSandboxApi } from '../../server/src/listeners/sandbox-api.ts';
import { startDispatcher } from '../../server/src/webhooks/dispatch/index.ts';
import { skipConfirmations } from '../../server/test/unconfirmed-primary.ts';
import { printErrorOnce } from '../webhooks/print-errors.ts';

skipConfirmations();
const { plane, recorder, dispatch } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '', () => {}); // its connections fail
const outbound = createOutboundClient({ allowHosts: [process.env.PROOF_RECEIVER ?? ''], allowCidrs: [] });
await startDispatcher({
  environment: 'sandbox',
  db: dispatch,
  outbound,
  masterKeys: plane.secrets.masterKeys,
  log: () => {},
});
const options = { recorder, trustedProxies: [], onInternalError: printErrorOnce };
console.log(await createSandboxApi(plane, options).listen({ host: '127.0.0.1', port: 0 }));
process.on('SIGTERM', () => process.exit(0));
