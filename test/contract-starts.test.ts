// A start with an invalid contract prints a sentence for each mistake, and no port listens.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContractFolders, refusalOf, startWith } from './own-contract.ts';
import { createInstance, type SlipwayInstance } from './slipway.ts';

const folderWith = createContractFolders();

describe('a contract with a mistake', () => {
  let instance: SlipwayInstance;
  beforeAll(async () => {
    instance = await createInstance();
  });
  afterAll(() => instance.remove());

  const INVALID = 'slipway: The contract that SLIPWAY_CONTRACT names is invalid.';

  test('prevents a start with file, field and reason of each mistake, before anything listens', async () => {
    const run = startWith(instance, folderWith({ members: "scope: 'coffees:read', idPrefix: 'te'," }));
    expect(await refusalOf(run)).toEqual([
      INVALID,
      'contract.mjs: Tea.idPrefix must have three lower-case letters.',
      'contract.mjs: Tea.scope is coffees:read, which the contract does not declare.',
    ]);
    expect(run.stdout()).toBe('');
    expect(instance.postgres()).toBeUndefined();
  });

  test.each([
    ['worker', ['worker', '--environment', 'sandbox']],
    ['console', ['console']],
    ['command', ['check']],
  ])('prevents a start of a %s', async (_what, args) => {
    const [first, second] = await refusalOf(startWith(instance, join(instance.dataDir, 'nowhere'), args));
    expect(first).toBe(INVALID);
    expect(second).toMatch(/^The folder .+nowhere must contain contract\.mjs or contract\.ts\.$/);
  });

  test('prints no stack for a module that throws an error', async () => {
    const folder = folderWith();
    writeFileSync(join(folder, 'contract.mjs'), "export default () => { throw new Error('no tea'); };");
    const lines = await refusalOf(startWith(instance, folder));
    expect(lines).toEqual([INVALID, expect.stringMatching(/contract\.mjs throws an error: no tea\.$/)]);
  });

  test('prevents a start of production with file, field and reason of each part that production cannot serve', async () => {
    const unnamed =
      "identity: { form: 'integer', description: 'The number of the tea.' }, example: { title: 'Assam' },";
    const folder = folderWith({ members: unnamed });
    const expected =
      'contract.mjs: Tea.identity.field is required for production, because a reported event names its object.';
    for (const role of ['api', 'worker']) {
      const run = startWith(instance, folder, [role, '--environment', 'production']);
      expect(await refusalOf(run)).toEqual(['slipway: Production cannot serve the contract.', expected]);
    }
    const check = startWith(instance, folder, ['contract', 'check', folder]);
    expect(await check.exited).toBe(0);
    expect(check.stdout()).toContain(`Production would refuse it: ${expected}`);
  });
});
