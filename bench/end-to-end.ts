// `npm run bench -- end-to-end`: events that are published through createTicket and delivered to a receiver, compared
// with a bare process that answers 201 and forwards the body. Load, receiver, product, bare process and Postgres are
// separate processes. It uses 64 connections and events of about 600 bytes. Variants take turns, and the results are
// medians. `--only throughput,latency,isolation` selects parts; `--rounds` and `--seconds` set the duration. If a
// request fails or an event does not arrive, it exits with code 1 after the figures.

import { withBenchDatabase } from './bench-database.ts';
import { measureIsolation, measureLatency, measureThroughput } from './end-to-end-parts.ts';
import { argument, progress, type Result, report } from './kit.ts';

const ONLY = argument('--only')?.split(',') ?? ['throughput', 'latency', 'isolation'];
const results: Result[] = [];

async function add(part: string, measure: () => Promise<Result[]>): Promise<void> {
  if (!ONLY.includes(part)) return;
  progress(`--- ${part}`);
  results.push(...(await measure()));
}

await add('throughput', () => withBenchDatabase(measureThroughput));
await add('latency', () => withBenchDatabase((one) => withBenchDatabase((other) => measureLatency(one, other))));
await add('isolation', () => withBenchDatabase(measureIsolation));
report('end-to-end', results);
