// Measures an operation of the management API that answers in parts: reads part by part until none is left.
import { progress, type Result } from './kit.ts';

interface Part {
  nextCursor: string | null;
}

/**
 * Calls `read` with the cursor of each part. `read` returns the part, and the number of records that all parts so far
 * examined.
 */
export async function measureParts(
  name: string,
  read: (cursor: string | undefined) => Promise<{ part: Part; examined: number }>,
): Promise<Result> {
  const beganMs = performance.now();
  const partsMs: number[] = [];
  let cursor: string | undefined;
  let examined = 0;
  do {
    const partBeganMs = performance.now();
    const found = await read(cursor);
    partsMs.push(performance.now() - partBeganMs);
    examined = found.examined;
    cursor = found.part.nextCursor ?? undefined;
  } while (cursor !== undefined);
  const seconds = (performance.now() - beganMs) / 1000;
  progress(`${name}: ${examined.toLocaleString('en')} records in ${seconds.toFixed(1)} s, ${partsMs.length} parts`);
  const sorted = partsMs.sort((one, other) => one - other);
  return {
    name: `${name}, per 10,000,000 records`,
    value: (seconds * 1e7) / examined,
    unit: 's',
    reference: null,
    ratio: null,
    p50Ms: sorted[Math.floor(sorted.length / 2)] ?? null,
    p99Ms: sorted.at(-1) ?? null,
  };
}
