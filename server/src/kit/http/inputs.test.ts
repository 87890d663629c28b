import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { ID_BODY_PATTERN, toId } from '../crypto/ids.ts';
import { ProblemError } from '../openapi/problems.ts';
import { inputReader } from './inputs.ts';
import { idSchema, strictObject, Type, text } from './schema.ts';

const first = '01890000-0000-7000-8000-000000000001';
const second = '01890000-0000-7000-8000-000000000002';
const read = inputReader({
  id: 'readThing',
  path: '/things/{thingId}',
  access: { security: 'none' },
  params: strictObject({ thingId: idSchema('thg', 'A thing.') }),
  query: strictObject({
    after: Type.Optional(idSchema('prt', 'A part.')),
    ownerId: Type.Optional({ ...idSchema('own', 'An owner.'), description: 'Only of this owner.' }),
    note: Type.Optional(text('A note.', { maxLength: 50 })),
    anyId: Type.Optional(Type.String({ pattern: `^(thg|prt)_${ID_BODY_PATTERN}$` })),
  }),
});
const inputsOf = (params: object, query: object) => read({ params, query, headers: {} } as unknown as FastifyRequest); // it reads only these

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ProblemError) return error.code;
  }
  return 'none';
}

describe('the inputs of an operation', () => {
  test('hold the uuid of each identifier in the path and in the query, and the text as it was sent', () => {
    const params = { thingId: toId('thg', first) };
    const query = { after: toId('prt', second), ownerId: toId('own', first), note: toId('prt', first) };
    expect(inputsOf(params, query)).toEqual({
      params,
      query,
      body: undefined,
      ids: { thingId: first, after: second, ownerId: first },
    });
  });

  test('hold no uuid of a parameter that is left out, or whose pattern allows several prefixes', () => {
    const { ids } = inputsOf({ thingId: toId('thg', first) }, { anyId: toId('prt', second) });
    expect(ids).toEqual({ thingId: first });
  });

  test.each([
    ['thg_1'],
    [toId('prt', first)],
    [`${toId('thg', first)}0`],
    [toId('thg', first).toUpperCase()],
  ])('are refused with not_found for the path identifier %s, and with invalid_request for one in the query', (id) => {
    expect(codeOf(() => inputsOf({ thingId: id }, {}))).toBe('not_found');
    expect(codeOf(() => inputsOf({ thingId: toId('thg', first) }, { ownerId: id }))).toBe('invalid_request');
  });
});
