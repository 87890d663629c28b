// `npm run bench -- webhooks`: deliveries a second with their rows, as a ratio to bare posts of undici to the same receiver;
// from a ticket's answer to the receiver's first byte; what a claim costs beside millions of rows; a worker's memory beside a
// million that wait; one event to a thousand endpoints. `--only throughput,latency,claim,memory,fan-out` measures those; `--rows N`
// makes the tables smaller, `--rounds` and `--seconds` say how long.
import { openGround } from '../prove/webhooks/ground.ts';
import { argument, progress, type Result, report, temporaryFolder } from './kit.ts';
import { measureClaims, measureMemory } from './webhooks-many.ts';
import { measureFanOut, measureLatency, measureThroughput, type Place } from './webhooks-parts.ts';
import { startBenchDatabase } from './world.ts';

const PARTS = ['throughput', 'latency', 'fan-out', 'claim', 'memory'] as const;
const ONLY = argument('--only')?.split(',') ?? PARTS;
const isWanted = (part: (typeof PARTS)[number]): boolean => ONLY.includes(part);

/** On a database of its own. */
async function at<T>(measure: (place: Place) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder();
  const database = await startBenchDatabase(folder.path);
  const ground = await openGround(database.url, database.superuserUrl);
  try {
    return await measure({ ...database, ground });
  } finally {
    await ground.close();
    await database.stop();
    await folder.remove();
  }
}

const results: Result[] = [];
async function add(part: (typeof PARTS)[number], measure: (place: Place) => Promise<Result[]>): Promise<void> {
  if (!isWanted(part)) return;
  progress(`--- ${part}`);
  results.push(...(await at(measure)));
}

await add('throughput', measureThroughput);
await add('latency', measureLatency);
await add('fan-out', measureFanOut);
if (isWanted('claim') || isWanted('memory')) {
  progress('--- claim and memory');
  await at(async (many) => {
    if (isWanted('claim')) results.push(...(await at((few) => measureClaims(few, many))));
    if (isWanted('memory')) results.push(...(await measureMemory(many, !isWanted('claim'))));
  });
}
report('webhooks', results);
