// A node of /v1 for the proofs, as a separate process: `api.ts JSON` contains the point at which it dies. Prints its
// address.
import { openSync, writeSync } from 'node:fs';
import { openBenchPlane } from '../../bench/plane.ts';
import { createSandboxApi } from '../../server/src/listeners/sandbox-api.ts';
import { crashingPlane, createCrashTrigger } from './crash-points.ts';
import { printErrorOnce } from './print-errors.ts';
import type { NodeOptions } from './processes.ts';

const input: NodeOptions = JSON.parse(process.argv[2] ?? '{}');
const file = openSync(input.log, 'a');
const death = createCrashTrigger(input.diesAt, (line) => void writeSync(file, `${line}\n`));

const { plane, recorder } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '', printErrorOnce);
const options = { recorder, trustedProxies: [], onInternalError: printErrorOnce };
console.log(await createSandboxApi(crashingPlane(plane, death), options).listen({ host: '127.0.0.1', port: 0 }));
process.on('SIGTERM', () => process.exit(0));
