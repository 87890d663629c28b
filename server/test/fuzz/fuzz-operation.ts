// Sends the generated requests of one operation, and reports the first one whose response breaks a law. The seed and the
// number of requests are those of the environment.
import fc from 'fast-check';
import { expect } from 'vitest';
import { ask, type Surface } from './fuzzed-service.ts';
import { type Draft, type FuzzedOperation, requestsOf } from './requests.ts';
import { findViolations } from './response-rules.ts';
import { toCurl, type WireRequest } from './wire.ts';

const SEED = Number(process.env.SLIPWAY_FUZZ_SEED ?? 1);
const RUNS = Number(process.env.SLIPWAY_FUZZ_RUNS ?? 10);
export const TIMEOUT_MS = 60_000 + RUNS * 1_000;

const statuses = new Map<number, number>();

/** Prints the number of responses with each status. */
export function printStatuses(): void {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status}`);
  console.log(`seed ${SEED}, ${RUNS} runs an operation: ${counts.join(', ')}`);
}

/** Reads existing objects twice, so that identifiers of the first responses lead to further ones. */
export async function warmUp(surface: Surface): Promise<void> {
  const { harvest } = surface;
  await surface.refresh();
  // Uses several servers, because one server may lack some kind of object.
  for (const [index, operation] of [0, 1, 2, 3].flatMap((at) => surface.operations.map((one) => [at, one] as const))) {
    const [example] = Object.values(operation.examples ?? {});
    if (operation.method !== 'GET' && !(operation.method === 'POST' && example)) continue;
    const properties = (operation.params as { properties?: Record<string, { pattern?: string }> } | undefined)
      ?.properties;
    const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const prefix = /^\^([a-z]+)_/.exec(properties?.[name]?.pattern ?? '')?.[1];
      return harvest.named(name, index) ?? harvest.known(prefix ?? '', index) ?? 'unknown';
    });
    const body = example && operation.body ? harvest.withKnownIds(JSON.stringify(example)) : undefined;
    const headers: WireRequest['headers'] = body === undefined ? [] : [['Content-Type', 'application/json']];
    await ask(surface, operation.id, await surface.complete({ method: operation.method, target, headers, body }));
  }
}

/** Throws an error with a command for bash if a response breaks a law. */
export async function fuzz(surface: Surface, operation: FuzzedOperation): Promise<void> {
  await surface.refresh();
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
