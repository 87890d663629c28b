// The names of resources in a document with more resources than a contract can have.
import { expect, test } from 'vitest';
import { groupRoutes } from './collections.ts';
import { readDocument } from './document.ts';
import { Findings } from './findings.ts';
import { Part } from './part.ts';
import { planResources } from './plans.ts';
import { readRoutes } from './routes.ts';

const LONG = 'VeryLongNameOfAResourceWhoseBeginningIsShared';

function planMany(count: number) {
  const names = Array.from({ length: count }, (_, at) => `${LONG}${at}`);
  const schema = { type: 'object', properties: { id: { type: 'string' } } };
  const listOf = (name: string) => {
    const content = {
      'application/json': { schema: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } },
    };
    return { get: { responses: { 200: { description: 'OK', content } } } };
  };
  const document = readDocument(
    'many.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Many', version: '1' },
      paths: Object.fromEntries(names.map((name, at) => [`/paths${at}`, listOf(name)])),
      components: { schemas: Object.fromEntries(names.map((name) => [name, schema])) },
    }),
  );
  const findings = new Findings(document);
  const root = new Part(document.root, undefined, document, findings);
  const { plans } = planResources(groupRoutes(readRoutes(root)).collections);
  return { plans, reasons: findings.list().map(({ pointer, reason }) => `${pointer} ${reason}`) };
}

test('the first 1,000 resources have names, kinds and prefixes that differ, and the others are reported', () => {
  const { plans, reasons } = planMany(1_002);
  for (const part of ['name', 'kind', 'plural', 'idPrefix'] as const)
    expect([part, new Set(plans.map((plan) => plan[part])).size]).toEqual([part, 1_000]);
  expect(plans.filter(({ kind }) => !/^[a-z][a-z_]{0,29}$/.test(kind))).toEqual([]);
  expect(reasons.filter((reason) => reason.includes('resources. The contract leaves it out'))).toEqual(
    [1_000, 1_001].map(
      (at) => `/components/schemas/${LONG}${at} is one of more than 1000 resources. The contract leaves it out`,
    ),
  );
});
