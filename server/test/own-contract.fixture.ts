// A sandbox of a contract of an operator, with a new app and key before each test. A test file names the contract in
// `vi.hoisted`, because the first import of the server loads it.
//
//   vi.hoisted(() => {
//     process.env.SLIPWAY_CONTRACT = new URL('contracts/library', import.meta.url).pathname;
//   });
//   useOwnContract();
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';

export let sandbox: Sandbox;
export let app: TestApp;
export let key: Awaited<ReturnType<TestApp['key']>>;

/** Registers the sandbox for the file. Expects that no request ended with an internal error. */
export function useOwnContract(): void {
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(async () => {
    await sandbox.close();
    expect(sandbox.errors).toEqual([]);
  });
  beforeEach(async () => {
    app = await sandbox.newApp();
    key = await app.key();
  });
}
