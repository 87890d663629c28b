import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const FIXTURE = join(import.meta.dirname, 'heap-growth.fixture.ts');
const RUN_TS = join(import.meta.dirname, '../../../../scripts/run-ts.mjs');
// The size of the young generation is fixed, because it differs between versions of Node. On 24 it would hide the old
// generation.
const YOUNG = '--max-semi-space-size=16';

async function mostMb(...args: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [YOUNG, RUN_TS, FIXTURE, ...args]);
  return Number(stdout);
}

test('a process with old garbage keeps less of it on request', async () => {
  const unlimited = await mostMb();
  const limited = await mostMb('small');
  expect(limited).toBeGreaterThan(10);
  expect(limited).toBeLessThan(unlimited * 0.85);
}, 60_000);
