// A node of /v1 for the proof of the inspector, as a separate process: `node.ts LOG [early]`. Prints its address, and
// immediately writes each record that it gives up to the log. With `early` it answers before its records are committed,
// and the proof must detect it.
import { openSync, writeSync } from 'node:fs';
import { openBenchPlane } from '../../bench/plane.ts';
import { createSandboxApi } from '../../server/src/listeners/sandbox-api.ts';
import { printErrorOnce } from '../webhooks/print-errors.ts';

const [log = '', mode] = process.argv.slice(2);
const file = openSync(log, 'a');

function onError(error: unknown): void {
  const requestId = /^The record of (\S+) was given up/.exec(error instanceof Error ? error.message : '')?.[1];
  if (requestId === undefined) printErrorOnce(error);
  else writeSync(file, `${requestId}\n`);
}

const { plane, recorder } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '', onError);
const LATER_MS = 20;
const early: typeof recorder = {
  ...recorder,
  async record(answered) {
    setTimeout(() => void recorder.record(answered), LATER_MS);
    return true;
  },
};
const options = {
  recorder: mode === 'early' ? early : recorder,
  trustedProxies: ['127.0.0.1/32'],
  onInternalError: printErrorOnce,
};
console.log(await createSandboxApi(plane, options).listen({ host: '127.0.0.1', port: 0 }));
process.on('SIGTERM', () => process.exit(0));
