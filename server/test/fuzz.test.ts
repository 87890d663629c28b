// Sends valid, nearly valid and hostile requests to every operation, generated from its own schemas, over real HTTP.
// The seed is fixed. `npm run prove -- fuzz` uses another seed and runs longer; CI runs a medium length. A failure is
// printed as a command for bash.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzz, printStatuses, TIMEOUT_MS, warmUp } from './fuzz/fuzz-operation.ts';
import { OPERATIONS, type Services, startServices } from './fuzz/services.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices();
  for (const surface of services.surfaces) await warmUp(surface);
});
afterAll(async () => {
  await services.close();
  printStatuses();
  expect(services.errors).toEqual([]);
});

describe.each(Object.entries(OPERATIONS))('fuzzing of %s', (name, operations) => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s obeys the laws for all generated requests',
    async (_, operation) => {
      const surface = services.surfaces.find((one) => one.name === name);
      if (!surface) throw new Error(`There is no ${name}.`);
      await fuzz(surface, operation);
    },
    TIMEOUT_MS,
  );
});
