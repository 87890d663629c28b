// Identifiers that a document limits to few values, or to some numbers.
import { expect, test } from 'vitest';
import { OBJECT_LIMITS } from '../../access/contracts/index.ts';
import { importDocument } from './index.ts';

const ok = (schema: object) => ({ 200: { description: 'OK', content: { 'application/json': { schema } } } });

function importCountries(id: object, parameter: object = { type: 'string' }) {
  const Country = { type: 'object', required: ['id'], properties: { id, name: { type: 'string' } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: parameter }];
  const document = {
    openapi: '3.1.0',
    info: { title: 'Countries', version: '1' },
    paths: {
      '/countries': { get: { operationId: 'listCountries', responses: ok({ type: 'array', items: Country }) } },
      '/countries/{id}': { parameters, get: { operationId: 'getCountry', responses: ok(Country) } },
    },
  };
  const { resources, presets, findings } = importDocument('countries.json', JSON.stringify(document));
  const { description: _, field: __, examples: ___, ...identity } = resources[0]?.identity ?? {};
  return { identity, presets, reasons: findings.map(({ reason }) => reason).join('\n') };
}

test.each([
  [{ type: 'string', pattern: '^[A-Z]{2}$' }, { form: 'text', pattern: '^[A-Z]{2}$' }, 676],
  [{ type: 'string', enum: ['north', 'south', null, 'a/b'] }, { form: 'text', enum: ['north', 'south'] }, 2],
  [{ type: 'string', const: 'world' }, { form: 'text', enum: ['world'] }, 1],
  [{ type: 'string', maxLength: 2 }, { form: 'text', maxLength: 2 }, 1_332],
  [{ type: 'string', pattern: '^[a-z]+$', maxLength: 2 }, { form: 'text', pattern: '^[a-z]+$', maxLength: 2 }, 702],
  [{ type: 'integer', maximum: 9 }, { form: 'integer', maximum: 9 }, 9],
  [{ type: 'integer', minimum: 0, exclusiveMaximum: 3.5 }, { form: 'integer', maximum: 3 }, 3],
  [
    { type: 'integer', exclusiveMinimum: 9, maximum: 30, multipleOf: 10 },
    { form: 'integer', minimum: 10, maximum: 30, multipleOf: 10 },
    3,
  ],
  [{ type: 'integer', enum: [10, 20] }, { form: 'integer', enum: [10, 20] }, 2],
])('the identifiers of %j keep these rules, and sandbox data uses at most half of the identifiers', (id, identity, size) => {
  const imported = importCountries(id);
  expect(imported.identity).toEqual(identity);
  expect(imported.reasons).toContain(
    `permits ${size} identifiers. Sandbox data uses at most half of them, and a creation after the last is refused with 409`,
  );
  const most = Math.max(1, Math.floor(size / 2));
  expect([imported.presets.small?.counts, imported.presets.busy?.counts]).toEqual([
    { countries: Math.min(10, most) },
    { countries: Math.min(200, most) },
  ]);
});

test.each([
  [
    { type: 'string', minLength: 1, maxLength: 40 },
    { form: 'text', maxLength: 40 },
  ],
  [
    { type: 'string', maxLength: 5 },
    { form: 'text', maxLength: 5 },
  ],
  [
    { type: 'integer', minimum: 100 },
    { form: 'integer', minimum: 100 },
  ],
  [{ type: 'integer', minimum: 1, maximum: 2_147_483_647 }, { form: 'integer' }],
  [
    { type: 'integer', maximum: OBJECT_LIMITS.objects + 1 },
    { form: 'integer', maximum: OBJECT_LIMITS.objects + 1 },
  ],
])('the identifiers of %j are not reported, because an app never uses all', (id, identity) => {
  const { identity: imported, reasons } = importCountries(id);
  expect(imported).toEqual(identity);
  expect(reasons).not.toContain('identifiers');
});

test('a rule of the parameter limits identifiers whose field has no such rule', () => {
  const { identity } = importCountries({ type: 'string' }, { type: 'string', pattern: '^[A-Z]{2}$' });
  expect(identity).toEqual({ form: 'text', pattern: '^[A-Z]{2}$' });
});

test('rules that no identifier keeps are reported and left out', () => {
  const { identity, reasons } = importCountries({ type: 'string', pattern: '^[a-z/]{2}$' });
  expect(identity).toEqual({ form: 'text' });
  expect(reasons).toContain(
    'has a pattern of identifiers, which must not match a space, a control character, /, ? or #',
  );
});
