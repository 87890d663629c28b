import { expect, test, vi } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { createLog } from '../../kit/telemetry/log.ts';
import { createLifetime } from '../process.ts';
import { start } from './sandbox-worker.ts';

const limitHeapGrowth = vi.hoisted(() => vi.fn());
vi.mock('../../kit/flow/heap-growth.ts', () => ({ limitHeapGrowth }));

test('a worker limits its heap before anything else', async () => {
  const log = createLog(false);
  await expect(start(readConfig({}), log, createLifetime(log))).rejects.toThrow('SLIPWAY_SANDBOX_');
  expect(limitHeapGrowth).toHaveBeenCalledOnce();
});
