// Rules for the lists of operations as a whole: names, files, examples and problems.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../src/access/contracts/index.ts';
import { PROBLEM_CODES } from '../src/access/problems/index.ts';
import type { AnyOperation } from '../src/kit/http/operation.ts';
import { schemaErrors } from '../src/kit/http/schema.ts';
import { problemsOf } from '../src/kit/openapi/openapi-problems.ts';
import { problemSlug } from '../src/kit/openapi/problems.ts';
import { publicOperations } from '../src/listeners/sandbox-api.ts';
import { sandboxManagement } from '../src/listeners/sandbox-management.ts';
import { type Sandbox, startSandbox } from './app.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const SOURCE = new URL('../src/', import.meta.url).pathname;

/** Returns every source file except tests and the table of problems itself. */
function sources(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^kit\/\w+\/problems/.test(file))
    .map((file) => SOURCE + file);
}

describe('the lists of operations', () => {
  const all = [...publicOperations, ...sandboxManagement] as unknown as AnyOperation<never>[];

  test('each operation has a file with its name or is derived from a resource, and ids are unique', () => {
    const files = sources().map((file) => basename(file, '.ts'));
    const kebab = (id: string): string => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    // The declaration of a resource derives its reads.
    const derived = resources.flatMap(({ name, list, get }) => [list?.id, get && `get${name}`]);
    expect(all.filter(({ id }) => !files.includes(kebab(id)) && !derived.includes(id))).toEqual([]);
    expect(new Set(all.map((operation) => operation.id)).size).toBe(all.length);
  });

  test('every example fits its schema', () => {
    for (const operation of all) {
      for (const example of Object.values(operation.examples ?? {})) {
        expect([operation.id, operation.body && schemaErrors(operation.body, example)]).toEqual([operation.id, []]);
      }
      for (const reply of Object.values(operation.replies)) {
        for (const example of Object.values(reply.examples ?? {})) {
          expect([operation.id, reply.schema && schemaErrors(reply.schema, example)]).toEqual([operation.id, []]);
        }
      }
    }
  });

  test('the problems in the table are exactly those that the code throws', () => {
    const texts = sources().map((file) => readFileSync(file, 'utf8'));
    const named = new Set(
      texts.flatMap((text) => [...text.matchAll(/'([a-z]+(?:_[a-z]+)*)'/g)]).map((match) => match[1]),
    );
    expect(PROBLEM_CODES.filter((code) => !named.has(code))).toEqual([]);
    const declared = new Set(all.flatMap((operation) => problemsOf(operation)));
    expect([...declared].filter((code) => !PROBLEM_CODES.includes(code))).toEqual([]);
  });

  test('every problem has a page', async () => {
    for (const code of PROBLEM_CODES) {
      expect((await sandbox.call(`/problems/${problemSlug(code)}`)).status).toBe(200);
    }
  });
});
