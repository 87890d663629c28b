// `npm run bench -- webhooks`: deliveries per second with their rows, as a ratio to bare posts of undici to the same
// receiver; the time from a ticket's response to the receiver's first byte; the cost of a claim next to millions of
// rows; a worker's memory with a million waiting deliveries; one event to a thousand endpoints. `--only
// throughput,latency,claim,memory,fan-out` selects parts; `--rows N` sets the size of the tables; `--rounds` and
// `--seconds` set the duration.

import { type BenchContext, withBenchDatabase } from './bench-database.ts';
import { argument, progress, type Result, report } from './kit.ts';
import { measureClaims, measureMemory } from './webhooks-many.ts';
import { measureFanOut, measureLatency, measureThroughput } from './webhooks-parts.ts';

const PARTS = ['throughput', 'latency', 'fan-out', 'claim', 'memory'] as const;
const ONLY = argument('--only')?.split(',') ?? PARTS;
const isWanted = (part: (typeof PARTS)[number]): boolean => ONLY.includes(part);

const results: Result[] = [];
async function add(part: (typeof PARTS)[number], measure: (context: BenchContext) => Promise<Result[]>): Promise<void> {
  if (!isWanted(part)) return;
  progress(`--- ${part}`);
  results.push(...(await withBenchDatabase(measure)));
}

await add('throughput', measureThroughput);
await add('latency', measureLatency);
await add('fan-out', measureFanOut);
if (isWanted('claim') || isWanted('memory')) {
  progress('--- claim and memory');
  await withBenchDatabase(async (many) => {
    if (isWanted('claim')) results.push(...(await withBenchDatabase((few) => measureClaims(few, many))));
    if (isWanted('memory')) results.push(...(await measureMemory(many, !isWanted('claim'))));
  });
}
report('webhooks', results);
