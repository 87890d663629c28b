// The mutant: a node of /v1 whose commits do not wait for the standby, so it takes every server for the primary. Prints
// its address.
import { openBenchPlane } from '../../bench/plane.ts';
import { createSandboxApi } from '../../server/src/listeners/sandbox-api.ts';
import { skipConfirmations } from '../../server/test/unconfirmed-primary.ts';
import { printErrorOnce } from '../webhooks/print-errors.ts';

skipConfirmations();
const { plane, recorder } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '', () => {}); // its connections fail
const options = { recorder, trustedProxies: [], onInternalError: printErrorOnce };
console.log(await createSandboxApi(plane, options).listen({ host: '127.0.0.1', port: 0 }));
process.on('SIGTERM', () => process.exit(0));
