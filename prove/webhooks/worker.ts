// A worker of the proofs, as a separate process: `worker.ts JSON` contains the point at which it dies, the hosts that
// it may call, and its deliberate fault. It loads only the code that a worker needs, because proofs start many of them.
import { openSync, writeSync } from 'node:fs';
import { openDatabase } from '../../server/src/kit/db/db.ts';
import { createCrashTrigger } from './crash-points.ts';
import type { NodeOptions } from './processes.ts';
import { startProofDispatcher } from './proof-dispatcher.ts';

const input: NodeOptions = JSON.parse(process.argv[2] ?? '{}');
const file = openSync(input.log, 'a');
const write = (line: string): void => void writeSync(file, `${line}\n`);
const death = createCrashTrigger(input.diesAt, write);
const database = openDatabase({
  url: process.env.BENCH_DATABASE_URL ?? '',
  role: 'slipway_worker',
  max: 8,
  queryTimeoutMs: 5_000,
  connectTimeoutMs: 500,
  idleInTransactionMs: 2_000,
  plansOnce: true,
});
// Printed before the registration, because that is a point of death.
console.log('a worker');
const dispatcher = await startProofDispatcher(database, input, death, write);
process.on('SIGTERM', () => void dispatcher.stop().then(() => process.exit(0)));
