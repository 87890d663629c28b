// The fields around the objects of a list whose values the sandbox makes.
import { expect, test } from 'vitest';
import type { TSchema } from '../../kit/http/schema.ts';
import { listBody } from './envelope.ts';

const nullable = { type: ['string', 'null'], examples: ['c2'] };
const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });
const schema = object({
  items: { type: 'array' },
  note: { type: 'string', examples: ['Tea'] },
  notice: nullable,
  page: { ...object({ next: nullable, before: nullable, size: { type: 'integer' } }), type: ['object', 'null'] },
  owner: { ...object({ name: { type: 'string' } }), type: ['object', 'null'] },
}) as TSchema; // plain JSON Schema, as in a contract

test('a field around the objects whose value is unknown is null if its schema permits null', () => {
  const paging = { by: 'cursor', parameter: 'after', next: 'page.next' } as const;
  const content = { of: 'list', in: 'items', paging, around: { schema, values: { 'page.size': 'limit' } } } as const;
  const known = { limit: [25] };
  expect(listBody(content, [], 'c1', { known })).toEqual({
    items: [],
    note: 'Tea',
    notice: null,
    page: { next: 'c1', before: null, size: 25 },
    owner: null,
  });
  expect(listBody(content, [], null, { known })).toMatchObject({ page: { next: null } });
});
