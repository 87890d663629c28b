import { expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../kit/log.ts';
import { createLifetime } from '../process.ts';
import { start } from './sandbox-worker.ts';

const keepHeapSmall = vi.hoisted(() => vi.fn());
vi.mock('../kit/heap.ts', () => ({ keepHeapSmall }));

test('a worker asks for a small heap, before anything else', async () => {
  const log = createLog(false);
  await expect(start(readConfig({}), log, createLifetime(log))).rejects.toThrow('SLIPWAY_SANDBOX_');
  expect(keepHeapSmall).toHaveBeenCalledOnce();
});
