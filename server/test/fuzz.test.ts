// Sends valid, nearly valid and hostile requests to every operation, generated from its own schemas, over real HTTP.
// The seed is fixed. `npm run prove -- fuzz` uses another seed and runs longer; CI runs a medium length. A failure is
// printed as a command for bash.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, type Surface } from './fuzz/fuzzed-service.ts';
import { type Draft, type FuzzedOperation, requestsOf } from './fuzz/requests.ts';
import { findViolations } from './fuzz/response-rules.ts';
import { OPERATIONS, type Services, startServices } from './fuzz/services.ts';
import { toCurl, type WireRequest } from './fuzz/wire.ts';

const SEED = Number(process.env.SLIPWAY_FUZZ_SEED ?? 1);
const RUNS = Number(process.env.SLIPWAY_FUZZ_RUNS ?? 10);
const TIMEOUT_MS = 60_000 + RUNS * 1_000;

let services: Services;
const statuses = new Map<number, number>();

beforeAll(async () => {
  services = await startServices();
  for (const surface of services.surfaces) await warmUp(surface);
});
afterAll(async () => {
  await services.close();
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status}`);
  console.log(`seed ${SEED}, ${RUNS} runs an operation: ${counts.join(', ')}`);
  expect(services.errors).toEqual([]);
});

/** Reads existing objects twice, so that identifiers of the first responses lead to further ones. */
async function warmUp(surface: Surface): Promise<void> {
  const { harvest } = surface;
  // Uses several servers, because one server may lack some kind of object.
  for (const [index, operation] of [0, 1, 2, 3].flatMap((at) => surface.operations.map((one) => [at, one] as const))) {
    const [example] = Object.values(operation.examples ?? {});
    if (operation.method !== 'GET' && !(operation.method === 'POST' && example)) continue;
    const properties = (operation.params as { properties?: Record<string, { pattern?: string }> } | undefined)
      ?.properties;
    const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const prefix = /^\^([a-z]+)_/.exec(properties?.[name]?.pattern ?? '')?.[1];
      return harvest.known(prefix ?? '', index) ?? 'unknown';
    });
    const body = example && operation.body ? harvest.withKnownIds(JSON.stringify(example)) : undefined;
    const headers: WireRequest['headers'] = body === undefined ? [] : [['Content-Type', 'application/json']];
    await ask(surface, operation.id, await surface.complete({ method: operation.method, target, headers, body }));
  }
}

async function run(surface: Surface, operation: FuzzedOperation): Promise<void> {
  let written = await surface.written();
  const isMutation = operation.method !== 'GET';
  const property = fc.asyncProperty(requestsOf(operation, surface.harvest), async (draft: Draft) => {
    const request = await surface.complete(draft.request);
    const response = await ask(surface, operation.id, request);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const broken = findViolations(surface, operation, { ...draft, request }, response);
    if (isMutation || draft.request.method !== 'GET') {
      const now = await surface.written();
      if (now !== written && response.status >= 300) broken.push(`a refusal writes nothing: ${changes(written, now)}`);
      written = now;
    }
    if (await surface.restore(response)) written = await surface.written();
    if (broken.length === 0) return;
    const answer = `${response.status} ${response.body.slice(0, 2_000)}`;
    throw new Error(`${operation.id} breaks:\n- ${broken.join('\n- ')}\n${toCurl(surface.url, request)}\n${answer}`);
  });
  const details = await fc.check(property, { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: TIMEOUT_MS / 2 });
  if (details.failed) {
    const error = details.errorInstance instanceof Error ? details.errorInstance.message : details.errorInstance;
    throw new Error(`seed ${SEED}, after ${details.numRuns} runs and ${details.numShrinks} simplifications\n${error}`);
  }
  if (!isMutation) expect(changes(written, await surface.written())).toBe('->');
}

/** Returns the lines that differ, before and after. */
function changes(before: string, after: string): string {
  const [was, is] = [before.split('\n'), after.split('\n')];
  return [...was.filter((line) => !is.includes(line)), '->', ...is.filter((line) => !was.includes(line))].join(' ');
}

describe.each(Object.entries(OPERATIONS))('fuzzing of %s', (name, operations) => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s obeys the laws for all generated requests',
    async (_, operation) => {
      const surface = services.surfaces.find((one) => one.name === name);
      if (!surface) throw new Error(`There is no ${name}.`);
      await run(surface, operation);
    },
    TIMEOUT_MS,
  );
});
