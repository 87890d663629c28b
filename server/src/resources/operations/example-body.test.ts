// The bodies of creations that the product shows.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AnyResource, fits, loadContract } from '../../access/contracts/index.ts';
import { exampleBody } from './example-body.ts';

let resources: readonly AnyResource[];
beforeAll(async () => {
  ({ resources } = await loadContract(join(import.meta.dirname, '../../../test/contracts/theatre')));
});

const made = (id: string) => {
  const resource = resources.find(({ operations }) => operations?.[id]);
  const declared = resource?.operations?.[id];
  if (!resource || !declared) throw new Error('The contract has no such operation.');
  const again = exampleBody(resource, { ...declared });
  const body = exampleBody(resource, declared);
  expect(again).toEqual(body);
  expect(fits(declared.input?.schema ?? {}, body)).toBe(true);
  return Object(body);
};

describe('the example of a body', () => {
  test('has the examples of the fields and no identifier, if a creation does not require it', () => {
    const body = made('createConcert');
    expect(body).toMatchObject({ name: 'Songs of the Harbour', price: 25 });
    expect(body).not.toHaveProperty('reference');
  });

  test('has an identifier that no sample has, if a creation requires it', () => {
    expect(made('createHall')).toEqual({ code: expect.stringMatching(/^HALL-\d+$/), label: 'East hall' });
    expect(['HALL-1', 'HALL-2']).not.toContain(made('createHall').code);
  });

  test('is the whole example of the schema, whose identifier no sample has', () => {
    expect(made('importHall')).toEqual({ code: 'HALL-77', label: 'North hall' });
  });

  test('has the identifier of the example for an operation that creates nothing', () => {
    expect(made('updateHall')).toEqual({ code: 'HALL-1' });
  });
});
