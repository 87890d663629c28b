// The bodies of creations that the product shows.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AnyResource, fits, loadContract } from '../../access/contracts/index.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import { exampleBody, hasKnownParent } from './example-body.ts';

const load = (name: string) => loadContract(join(import.meta.dirname, '../../../test/contracts', name));

let resources: readonly AnyResource[];
beforeAll(async () => {
  ({ resources } = await load('theatre'));
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

describe('the example of a body that contains the object in a field', () => {
  const wrapped = (id: string, path: string[]) => {
    const resource = resources.find(({ operations }) => operations?.[id]);
    const declared = resource?.operations?.[id];
    if (!resource || !declared?.input) throw new Error('The contract has no such operation.');
    const schema = path.reduceRight<object>(
      (inner, name) => ({ type: 'object', required: [name], properties: { [name]: inner } }),
      declared.input.schema,
    );
    return exampleBody(resource, { ...declared, input: { schema: schema as TSchema, in: path.join('.') } }); // JSON Schema
  };

  test('has an object whose identifier no sample has', () => {
    expect(wrapped('importHall', ['hall'])).toEqual({ hall: made('importHall') });
    expect(wrapped('createConcert', ['data', 'concert'])).toEqual({ data: { concert: made('createConcert') } });
  });
});

describe('a body that names the parent of a new object', () => {
  const find = async (contract: string, name: string, id: string) => {
    const resource = (await load(contract)).resources.find((one) => one.name === name);
    const declared = resource?.operations?.[id];
    if (!resource?.parent || !declared) throw new Error('The contract has no such operation.');
    return { resource, parent: resource.parent, declared };
  };

  test('has the identifier of a sample, or the first number', async () => {
    const { resource, parent, declared } = await find('spaces', 'Task', 'addTask');
    expect(exampleBody(resource, declared)).toMatchObject({ space_id: 1 });
    const sampled = { ...resource, parent: { ...parent, samples: [{ id: 9, name: 'Hall' }] } };
    expect(exampleBody(sampled, declared)).toMatchObject({ space_id: 9 });
    expect([hasKnownParent(resource, declared), hasKnownParent(sampled, declared)]).toEqual([true, true]);
  });

  test('names no parent whose identifier differs from app to app, so the first steps do not show it', async () => {
    const { resource, declared } = await find('archive', 'Paper', 'createPaperInRoom');
    expect(exampleBody(resource, declared)).not.toHaveProperty('boxId');
    expect(hasKnownParent(resource, declared)).toBe(false);
  });
});
