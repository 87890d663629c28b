// Measures variants of a server under one load, in turns. Each result is a ratio to a reference of the same run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fsyncMs, median, progress, type Result, runScript } from './kit.ts';
import type { BenchRequest } from './requests.ts';

interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

export interface Variant {
  name: string;
  url: string;
  requestsFile: string;
  /** The names of the variants with which it is compared. */
  references: readonly string[];
  loads: Load[];
}

const CONNECTIONS = 64;

export function variantIn(folder: string) {
  return (name: string, url: string, requests: readonly BenchRequest[], ...references: string[]): Variant => {
    const requestsFile = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);
    writeFileSync(requestsFile, JSON.stringify(requests));
    return { name, url, requestsFile, references, loads: [] };
  };
}

function load({ url, requestsFile }: Variant, seconds: number): Promise<Load> {
  return runScript<Load>('bench/load.ts', [url, requestsFile, String(seconds), String(CONNECTIONS)]);
}

export async function warmUp(variant: Variant, seconds: number): Promise<void> {
  progress(`warming up: ${variant.name}`);
  await load(variant, seconds);
}

/**
 * Measures every variant once per round, for the same time. Reports failed requests, and the benchmark then exits with
 * code 1.
 */
export async function measure(variants: readonly Variant[], rounds: number, seconds: number): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    for (const one of variants) {
      const measured = await load(one, seconds);
      one.loads.push(measured);
      const failures = measured.failed > 0 ? `, ${measured.failed} FAILED` : '';
      progress(`round ${round} of ${rounds}  ${one.name}: ${measured.perSecond.toFixed(0)}/s${failures}`);
      if (measured.failed > 0) process.exitCode = 1;
    }
  }
}

const blank = { reference: null, ratio: null, p50Ms: null, p99Ms: null };

/**
 * Returns the medians of all rounds, one result per reference of a variant, and the time of a durable write in the
 * folder.
 */
export function resultsOf(variants: readonly Variant[], folder: string): Result[] {
  const results = variants.flatMap(({ name, references, loads }) => {
    const of = (pick: (load: Load) => number): number => median(loads.map(pick));
    return (references.length > 0 ? references : [null]).map((reference): Result => {
      const base = variants.find((other) => other.name === reference)?.loads;
      const ratios = base && loads.map((one, round) => one.perSecond / (base[round]?.perSecond ?? Number.NaN));
      return {
        name,
        value: of((one) => one.perSecond),
        unit: 'requests/s',
        reference,
        ratio: ratios ? median(ratios) : null,
        p50Ms: of((one) => one.p50Ms),
        p99Ms: of((one) => one.p99Ms),
      };
    });
  });
  return [...results, { name: 'fsync', value: fsyncMs(folder), unit: 'ms', ...blank }];
}
