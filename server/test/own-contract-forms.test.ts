// The form of objects of a contract of an operator: bodies that contain an object in a field, objects inside that the
// sandbox completes, and objects with alternatives.
import { expect, test, vi } from 'vitest';
import { isReservedOperation, resources } from '../src/access/contracts/index.ts';
import { type Answer, json } from './app.ts';
import { key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/nursery', import.meta.url).pathname;
});
useOwnContract();

interface Plant {
  id: number;
  [field: string]: unknown;
}
interface Refusal {
  errors: { pointer: string }[];
}

const send = <T = { plant: Plant }>(
  method: string,
  path: string,
  body: unknown,
  type = 'application/json',
): Promise<Answer<T>> =>
  sandbox.call<T>(`/v1${path}`, key.token, { ...json(body), method, headers: { 'content-type': type } });
const createPlant = async (plant: object): Promise<Plant> => (await send('POST', '/plants', { plant })).body.plant;

test('a body with the object in a field creates and changes the object with these values', async () => {
  const plant = await createPlant({ kind: 'herb', name: 'Mint' });
  expect(plant).toMatchObject({ kind: 'herb', name: 'Mint' });
  const changed = await send('PATCH', `/plants/${plant.id}`, { plant: { name: 'Balm' } });
  expect(changed.body.plant).toEqual({ ...plant, name: 'Balm' });
  const replaced = await send('PUT', `/plants/${plant.id}`, { plant: { kind: 'herb', name: 'Sage' } });
  expect(replaced.body.plant).toEqual({ ...plant, name: 'Sage' });
});

test('the pointer of a value that the object cannot have begins with the field of the body', async () => {
  const plant = await createPlant({ kind: 'herb', name: 'Mint' });
  const path = `/merged/${plant.id}`;
  const other = await send<Refusal>('PATCH', path, { data: { id: plant.id + 1 } }, 'application/vnd.api+json');
  const removed = await send<Refusal>('PATCH', path, { data: { pot: {} } }, 'application/vnd.api+json');
  expect([other.status, other.body.errors[0]?.pointer]).toEqual([400, '/data/id']);
  expect(removed.status).toBe(200);
});

test('an object inside gets the fields that only a response has, and keeps them in a change', async () => {
  const plant = await createPlant({
    kind: 'tree',
    name: 'Pear',
    pot: { width: 9 },
    labels: [{ text: 'a' }, { text: 'b' }],
  });
  const code = expect.stringMatching(/^[A-Z]{6}$/);
  expect(plant).toMatchObject({
    pot: { width: 9, weight: expect.any(Number) },
    labels: [
      { text: 'a', code },
      { text: 'b', code },
    ],
  });
  const { body } = await send('PATCH', `/plants/${plant.id}`, { plant: { pot: { width: 8 } } });
  expect(body.plant).toEqual({ ...plant, pot: { ...Object(plant.pot), width: 8 } });
});

test('a change in JSON:API keeps the fields of an object inside that the body leaves out', async () => {
  const plant = await createPlant({ kind: 'tree', name: 'Pear', pot: { width: 9, colour: 'red' } });
  const type = 'application/vnd.api+json';
  const { body } = await send('PATCH', `/merged/${plant.id}`, { data: { pot: { width: 8 } } }, type);
  expect(body.plant).toEqual({ ...plant, pot: { ...Object(plant.pot), width: 8 } });
});

test('a new object has the required fields of its alternative, and no fields of another alternative', async () => {
  const tree = await createPlant({ kind: 'tree', name: 'Pear' });
  const herb = await createPlant({ kind: 'herb', name: 'Mint' });
  expect([Object.keys(tree).sort(), Object.keys(herb).sort()]).toEqual([
    ['height', 'id', 'kind', 'name'],
    ['id', 'kind', 'name', 'scent'],
  ]);
});

test('each object of sandbox data has the fields of one alternative', async () => {
  const { body } = await sandbox.call<{ plants: Plant[] }>('/v1/plants', key.token);
  const forms = body.plants.map((plant) => [plant.kind, 'height' in plant, 'scent' in plant].join());
  expect(new Set(forms)).toEqual(new Set(['tree,true,false', 'herb,false,true']));
});

test('a creation has no Location if the path of the object has a parameter that no response contains', async () => {
  const { status, headers } = await send('POST', '/plants', { plant: { kind: 'tree', name: 'Pear' } });
  expect([status, headers.get('location')]).toEqual([201, null]);
});

test('the names of the platform’s operations are reserved, so that each operation of the document has its own name', async () => {
  const { body } = await sandbox.call<{ paths: Record<string, Record<string, { operationId: string }>> }>(
    '/v1/openapi.json',
    key.token,
  );
  const ids = Object.values(body.paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  );
  const own = resources.flatMap(({ operations = {} }) => Object.keys(operations));
  expect(ids.filter((id) => !own.includes(id) && !isReservedOperation(id))).toEqual([]);
  expect(ids.filter((id) => isReservedOperation(id)).length).toBeGreaterThan(5);
});

test('an operation about no object is an action with content of its own', async () => {
  const { status, body } = await sandbox.call('/v1/about', key.token);
  expect([status, body]).toEqual([200, { version: 1 }]);
});
