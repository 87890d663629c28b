// `npm run bench -- end-to-end`: events that are published through createTicket and delivered to a receiver, against a bare process that
// answers 201 and posts the body on. Load, receiver, product, bare and Postgres are processes of their own. 64 connections, events of about
// 600 bytes. Rounds in turns, medians. `--only throughput,latency,isolation` measures those; `--rounds` and `--seconds` say how long.
// If a request fails or an event does not arrive, it ends with 1 after the figures.
import { measureIsolation, measureLatency, measureThroughput } from './end-to-end-parts.ts';
import { argument, progress, type Result, report } from './kit.ts';
import { at } from './place.ts';

const ONLY = argument('--only')?.split(',') ?? ['throughput', 'latency', 'isolation'];
const results: Result[] = [];

async function add(part: string, measure: () => Promise<Result[]>): Promise<void> {
  if (!ONLY.includes(part)) return;
  progress(`--- ${part}`);
  results.push(...(await measure()));
}

await add('throughput', () => at(measureThroughput));
await add('latency', () => at((one) => at((other) => measureLatency(one, other))));
await add('isolation', () => at(measureIsolation));
report('end-to-end', results);
