// Objects that a PUT creates, and small sets of identifiers, with a contract of an operator.
import { describe, expect, test, vi } from 'vitest';
import { contractScript } from '../src/listeners/contract-script.ts';
import { type Answer, json } from './app.ts';
import { until } from './harness.ts';
import { app, key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/harbour', import.meta.url).pathname;
});
useOwnContract();

type Body = Record<string, unknown>;
interface List {
  data: Body[];
}

const put = <T = Body>(path: string, body: unknown, headers = {}, token = key.token): Promise<Answer<T>> =>
  sandbox.call<T>(`/v1${path}`, token, {
    ...json(body),
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
  });
const read = <T = Body>(path: string, token = key.token): Promise<Answer<T>> => sandbox.call<T>(`/v1${path}`, token);
const remove = (path: string): Promise<Answer> => sandbox.call(`/v1${path}`, key.token, { method: 'DELETE' });
const typesOf = async (count: number): Promise<unknown[]> => {
  const data = await until(async () => {
    const { body } = await read<List>('/events?limit=100');
    return body.data.length >= count && body.data;
  });
  return data.map(({ type }) => type);
};

describe('a PUT to the path of an object', () => {
  test('creates the object of an unused identifier, and replaces it when repeated', async () => {
    expect((await read<List>('/beacons')).body.data).toEqual([]);
    const made = await put('/beacons/fog', { name: 'Fog', height: 30 });
    expect([made.status, made.body]).toEqual([201, { id: 'fog', name: 'Fog', height: 30 }]);
    expect(made.headers.get('location')).toMatch(/\/v1\/beacons\/fog$/);
    const replaced = await put('/beacons/fog', { name: 'Mist' });
    expect([replaced.status, replaced.body]).toEqual([200, { id: 'fog', name: 'Mist' }]);
    expect(replaced.headers.get('location')).toBeNull();
    expect((await read<List>('/beacons')).body.data).toEqual([{ id: 'fog', name: 'Mist' }]);
    expect(await typesOf(2)).toEqual(['beacon.added', 'beacon.changed']);
  });

  test('creates the object again after a deletion', async () => {
    await put('/beacons/fog', { name: 'Fog', height: 30 });
    expect((await remove('/beacons/fog')).status).toBe(204);
    const { status, body } = await put('/beacons/fog', { name: 'Fog' });
    expect([status, body]).toEqual([201, { id: 'fog', name: 'Fog' }]);
  });

  test('is refused if the identifier does not fit its schema, or the body contains another identifier', async () => {
    const answers = [
      await put('/beacons/FOG', { name: 'Fog' }),
      await put('/beacons/foggy', { name: 'Fog' }),
      await put('/beacons/fog', { id: 'log', name: 'Fog' }),
      await put('/beacons/fog', { height: 3 }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 400]);
    expect((await put('/beacons/fog', { id: 'fog', name: 'Fog' })).status).toBe(201);
  });

  test('creates one object if several requests with the same unused identifier arrive together', async () => {
    for (const id of ['aaa', 'bbb', 'ccc', 'ddd', 'eee']) {
      const names = ['One', 'Two', 'Three', 'Four'];
      const answers = await Promise.all(names.map((name) => put(`/beacons/${id}`, { name })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    }
    const types = await typesOf(20);
    expect(types.filter((type) => type === 'beacon.added')).toHaveLength(5);
    expect(types.filter((type) => type === 'beacon.changed')).toHaveLength(15);
  });

  test('creates the object again if a deletion commits while the request waits for it', async () => {
    const { superuser } = sandbox.database;
    const waiting = "select from pg_locks where not granted and locktype = 'transactionid'";
    await put('/beacons/fog', { name: 'Fog', height: 30 });
    await superuser.query('begin');
    await superuser.query("delete from objects where key = 'fog'");
    const answer = put('/beacons/fog', { name: 'Mist' });
    await until(async () => (await superuser.query(waiting)).rows.length > 0).finally(() => superuser.query('commit'));
    const { status, body } = await answer;
    expect([status, body]).toEqual([201, { id: 'fog', name: 'Mist' }]);
  });

  test('is answered 201 again under the same Idempotency-Key, and changes nothing', async () => {
    const headers = { 'idempotency-key': 'put-1' };
    const first = await put('/beacons/fog', { name: 'Fog' }, headers);
    const second = await put('/beacons/fog', { name: 'Fog' }, headers);
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
    expect(second.body).toEqual(first.body);
    expect(await typesOf(1)).toEqual(['beacon.added']);
  });

  test('creates separate objects in two apps', async () => {
    await put('/beacons/fog', { name: 'Mine' });
    const other = await sandbox.newApp();
    const { token } = await other.key();
    expect((await read('/beacons/fog', token)).status).toBe(404);
    expect((await put('/beacons/fog', { name: 'Theirs' }, {}, token)).status).toBe(201);
    expect((await read('/beacons/fog')).body).toEqual({ id: 'fog', name: 'Mine' });
  });

  test('requires the scope of the operation', async () => {
    const reader = await app.key(['harbour:read'] as never); // a scope of the contract
    expect((await put('/beacons/fog', { name: 'Fog' }, {}, reader.token)).status).toBe(403);
    expect((await read('/beacons/fog')).status).toBe(404);
  });
});

describe('a PUT below a parent', () => {
  test('returns content for a creation, and none for a replacement', async () => {
    expect((await put('/beacons/fog/lamps/red', { power: 5 })).status).toBe(404);
    await put('/beacons/fog', { name: 'Fog' });
    const made = await put('/beacons/fog/lamps/red', { power: 5 });
    expect([made.status, made.body]).toEqual([201, { colour: 'red', beacon: 'fog', power: 5 }]);
    expect((await put('/beacons/fog/lamps/red', { power: 7 })).status).toBe(204);
    const { body } = await read<List>('/beacons/fog/lamps');
    expect(body.data).toEqual([{ colour: 'red', beacon: 'fog', power: 7 }]);
    expect((await put('/beacons/fog/lamps/blue', { power: 5 })).status).toBe(404);
  });

  test('is refused with 409 if an object below another parent has the identifier', async () => {
    await put('/beacons/fog', { name: 'Fog' });
    await put('/beacons/log', { name: 'Log' });
    await put('/beacons/fog/lamps/red', { power: 5 });
    const { status, body } = await put('/beacons/log/lamps/red', { power: 5 });
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.detail).toBe('Another lamp has the identifier red.');
  });

  test('creates the object below the parent that grants, and not below another or a missing parent', async () => {
    const { body } = await read<List>('/harbours');
    const [one, two] = body.data.map(({ code }) => code);
    const free = await freeNumber();
    const path = (harbour: unknown): string => `/harbours/${harbour}/berths/${free}`;
    const made = await put(path(one), { number: free, name: 'New' });
    expect([made.status, made.body]).toEqual([201, { number: free, harbour: one, name: 'New' }]);
    expect((await put(path(one), { name: 'Newer' })).status).toBe(200);
    expect((await put(path(two), { name: 'Newest' })).status).toBe(409);
    expect((await put(path('ZZ'), { name: 'Newest' })).status).toBe(404);
  });
});

const berthsOf = async (): Promise<number[]> => {
  const { body } = await read<List>('/harbours');
  const lists = await Promise.all(body.data.map(({ code }) => read<List>(`/harbours/${code}/berths`)));
  return lists.flatMap(({ body: { data } }) => data.map(({ number }) => Number(number)));
};

const freeNumber = async (): Promise<number> => {
  const used = new Set(await berthsOf());
  return [1, 2, 3, 4, 5, 6, 7, 8, 9].find((number) => !used.has(number)) ?? 0;
};

test('sandbox data has identifiers within their limits', async () => {
  const { body } = await read<List>('/harbours');
  expect(body.data.map(({ code }) => code)).toEqual([
    expect.stringMatching(/^[A-Z]{2}$/),
    expect.stringMatching(/^[A-Z]{2}$/),
  ]);
  expect((await berthsOf()).sort()).toEqual([1, 2, 3, 4]);
});

test('creations that arrive together use each free identifier once, and the next one is refused with 409', async () => {
  const { body } = await read<List>('/harbours');
  const path = `/v1/harbours/${body.data[0]?.code}/berths`;
  const create = (): Promise<Answer<Body>> =>
    sandbox.call<Body>(path, key.token, { ...json({ name: 'New' }), method: 'POST' });
  const made = await Promise.all(Array.from({ length: 5 }, create));
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  expect((await berthsOf()).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const refused = await create();
  expect([refused.status, refused.body.code]).toEqual([409, 'quota_exceeded']);
  expect(refused.body.detail).toBe(
    'The berths of the app have all 9 identifiers that the contract permits (minimum 1, maximum 9). Delete a berth first.',
  );
  await remove(`/harbours/${body.data[0]?.code}/berths/${made[0]?.body.number}`);
  expect((await create()).body.number).toBe(made[0]?.body.number);
});

test('the document of /v1 has both responses of a PUT, and the limits of identifiers', async () => {
  const { body } = await sandbox.call<{
    paths: Record<
      string,
      {
        put: {
          responses: Record<string, { headers?: object; content?: object }>;
          parameters: { name: string; schema: object }[];
        };
      }
    >;
  }>('/v1/openapi.json', key.token);
  const beacon = body.paths['/v1/beacons/{beaconId}']?.put;
  const lamp = body.paths['/v1/beacons/{beaconId}/lamps/{lampId}']?.put;
  const berth = body.paths['/v1/harbours/{harbourId}/berths/{berthId}']?.put;
  expect(Object.keys(beacon?.responses ?? {}).slice(0, 2)).toEqual(['200', '201']);
  expect(beacon?.responses['201']?.headers).toHaveProperty('Location');
  expect(beacon?.responses['200']?.headers).not.toHaveProperty('Location');
  expect(lamp?.responses['201']).toHaveProperty('content');
  expect(lamp?.responses['204']).not.toHaveProperty('content');
  const number = berth?.parameters.find(({ name }) => name === 'berthId');
  expect(number?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 9 });
});

test('the first steps show a PUT that creates an object with an unused identifier', async () => {
  const { firstCreation } = JSON.parse(contractScript()?.replace(/^[^{]*|;\n$/g, '') ?? '{}');
  expect(firstCreation).toMatchObject({ method: 'PUT', path: expect.stringMatching(/^\/v1\/beacons\/[a-z]{3}$/) });
  const shown = JSON.parse(firstCreation.body);
  expect(shown).not.toHaveProperty('id');
  const { status, body } = await put(firstCreation.path.slice(3), shown);
  expect([status, body]).toEqual([201, { id: firstCreation.path.slice(-3), ...shown }]);
});
