// Operations of a contract of an operator on a part of an object and on a collection, and bodies of other media types.
import { expect, test, vi } from 'vitest';
import { type Answer, json } from './app.ts';
import { key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/choir', import.meta.url).pathname;
});
useOwnContract();

interface Choir {
  id: number;
  name: string;
  [field: string]: unknown;
}

const send = <T = Choir>(method: string, path: string, body: unknown, type = 'application/json'): Promise<Answer<T>> =>
  sandbox.call<T>(`/v1${path}`, key.token, { ...json(body), method, headers: { 'content-type': type } });
const createChoir = async (): Promise<Choir> => (await send('POST', '/choirs', { name: 'Harbour' })).body;
const readChoir = async ({ id }: Choir): Promise<Choir> =>
  (await sandbox.call<Choir>(`/v1/choirs/${id}`, key.token)).body;

test('a body about a part of an object changes no field of the object, and can contain an identifier of the part', async () => {
  const choir = await createChoir();
  const settings = await send('PUT', `/choirs/${choir.id}/settings`, { id: 'set_1', name: 'Settings', tempo: 90 });
  expect([settings.status, settings.body]).toEqual([200, { tempo: 90 }]);
  const seat = await send('PUT', `/choirs/${choir.id}/seats/A1`, { name: 'Ada', note: 'Front' });
  expect(seat.status).toBe(204);
  expect(await readChoir(choir)).toEqual(choir);
  await send('POST', `/choirs/${choir.id}/rename`, { name: 'Hill' });
  expect(await readChoir(choir)).toEqual({ ...choir, name: 'Hill' });
});

test('an action below a word changes the object that its path names, and is answered 404 without that object', async () => {
  const choir = await createChoir();
  const named = await send('POST', `/choirs/${choir.id}/actions/name`, { name: 'Hill' });
  expect([named.status, named.body]).toEqual([200, { ...choir, name: 'Hill' }]);
  expect(await readChoir(choir)).toEqual(named.body);
  expect((await send('POST', '/choirs/999/actions/name', { name: 'Hill' })).status).toBe(404);
});

test('a body about the whole object changes it and is refused with another identifier, also if the response is no object', async () => {
  const choir = await createChoir();
  expect((await send('PUT', `/choirs/${choir.id}`, { id: choir.id + 1, tempo: 90 })).status).toBe(400);
  expect((await send('PUT', `/choirs/${choir.id}`, { tempo: 90 })).body).toEqual({ tempo: 90 });
  expect(await readChoir(choir)).toEqual({ ...choir, tempo: 90 });
});

test('an action does not store a value of its body that is no field of the resource', async () => {
  const choir = await createChoir();
  const { body } = await send('POST', `/choirs/${choir.id}/rename`, { name: 'Hill', reason: 'Moved' });
  expect(body).toEqual({ ...choir, name: 'Hill' });
});

test('an operation on a part or a collection below an object that does not exist is answered 404', async () => {
  const answers = [
    await send('PUT', '/choirs/999/seats/A1', { name: 'Ada' }),
    await send('POST', '/choirs/999/singers/search', { name: 'Ada' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  const choir = await createChoir();
  expect((await send('POST', `/choirs/${choir.id}/singers/search`, { name: 'Ada' })).status).toBe(200);
});

test('a creation is answered 404 if a parameter of its path identifies no object of another resource below the same object', async () => {
  const [choir, other] = [await createChoir(), await createChoir()];
  const singer = (await send('POST', `/choirs/${choir.id}/singers`, { name: 'Ada', voices: [] })).body;
  const record = async (path: string) => (await send('POST', `/choirs/${path}/record`, { name: 'Solo' })).status;
  expect(await record(`${choir.id}/singers/${singer.id}`)).toBe(202);
  expect(await record(`${choir.id}/singers/999`)).toBe(404);
  expect(await record(`${other.id}/singers/${singer.id}`)).toBe(404);
});

test('a path can end with the verb of a custom method, and another verb is not found', async () => {
  const { id } = await createChoir();
  const count = async (path: string) => (await sandbox.call(`/v1${path}`, key.token, { method: 'POST' })).status;
  expect(await count(`/choirs/${id}/singers:count`)).toBe(200);
  expect(await count(`/choirs/${id}/singers:other`)).toBe(404);
  expect(await count('/choirs/999/singers:count')).toBe(404);
});

test('a value has the identifier of the path in the field with which other objects name it as their parent', async () => {
  const { id } = await createChoir();
  const { body } = await sandbox.call(`/v1/choirs/${id}/singers:count`, key.token, { method: 'POST' });
  expect(body).toMatchObject({ ensemble: id });
});

test('a query parameter with the name of an array selects the objects whose array contains the value', async () => {
  const choir = await createChoir();
  const path = `/choirs/${choir.id}/singers`;
  await send('POST', path, { name: 'Ada', voices: ['alto', 'tenor'] });
  await send('POST', path, { name: 'Bob', voices: ['bass'] });
  const { body } = await sandbox.call<{ name: string }[]>(`/v1${path}?voices=tenor`, key.token);
  expect(body.map(({ name }) => name)).toEqual(['Ada']);
});

test('a search returns the objects whose fields have the values of the body, by pages', async () => {
  const choir = await createChoir();
  const path = `/choirs/${choir.id}/singers`;
  for (const [name, voices] of [
    ['Ada', ['alto', 'tenor']],
    ['Bob', ['bass']],
    ['Ada', ['tenor']],
  ] as const)
    await send('POST', path, { name, voices });
  const other = await createChoir();
  await send('POST', `/choirs/${other.id}/singers`, { name: 'Ada', voices: ['tenor'] });
  const find = async (query: string, body: object) => {
    const answer = await sandbox.call<{ found: { name: string; voices: string[] }[]; total: number }>(
      `/v1${path}/find${query}`,
      key.token,
      json(body),
    );
    return [answer.status, answer.body.total, answer.body.found.map(({ name, voices }) => `${name} ${voices}`)];
  };
  expect(await find('', {})).toEqual([200, 3, ['Ada tenor', 'Bob bass', 'Ada alto,tenor']]);
  expect(await find('', { name: 'Ada', sort: 'name' })).toEqual([200, 2, ['Ada tenor', 'Ada alto,tenor']]);
  expect(await find('', { voices: 'alto' })).toEqual([200, 1, ['Ada alto,tenor']]);
  expect(await find('?limit=1&page=2', { name: 'Ada' })).toEqual([200, 2, ['Ada alto,tenor']]);
  expect((await send('POST', '/choirs/999/singers/find', {})).status).toBe(404);
});

test('a body can have the declared media type or application/json, and another type is refused with 415', async () => {
  const choir = await createChoir();
  const types = ['application/merge-patch+json', 'application/Merge-Patch+JSON; charset=utf-8', 'application/json'];
  for (const [index, type] of types.entries()) {
    const { status, body } = await send('PATCH', `/choirs/${choir.id}`, { name: `Name ${index}` }, type);
    expect([status, body.name]).toEqual([200, `Name ${index}`]);
  }
  expect((await send('PATCH', `/choirs/${choir.id}`, {}, 'application/vnd.api+json')).status).toBe(415);
  expect((await send('POST', '/choirs', {}, 'application/merge-patch+json')).status).toBe(415);
});

test('a refusal of the media type of a body names each accepted type', async () => {
  const { id } = await createChoir();
  const detailOf = async (method: string, path: string, type: string) =>
    (await send<{ detail: string }>(method, path, {}, type)).body.detail;
  for (const type of ['application/vnd.api+json', 'text/csv'])
    expect(await detailOf('PATCH', `/choirs/${id}`, type)).toBe(
      'Send `Content-Type: application/merge-patch+json` or `Content-Type: application/json`.',
    );
  expect(await detailOf('POST', '/choirs', 'text/csv')).toBe('Send `Content-Type: application/json`.');
});

test('a merge patch changes the named members of an object, and null removes a member', async () => {
  const labels = { region: 'north', tour: 'spring', hall: { row: 1, seat: 2 } };
  const { body: choir } = await send('POST', '/choirs', { name: 'Harbour', labels });
  const patch = { labels: { region: null, colour: 'blue', hall: { row: 1, seat: null } } };
  for (const type of ['application/merge-patch+json', 'application/json']) {
    const { status, body } = await send('PATCH', `/choirs/${choir.id}`, patch, type);
    expect([status, body]).toEqual([200, { ...choir, labels: { tour: 'spring', colour: 'blue', hall: { row: 1 } } }]);
  }
  const removed = await send('PATCH', `/choirs/${choir.id}`, { labels: null });
  expect([removed.status, removed.body]).toEqual([200, { id: choir.id, name: 'Harbour' }]);
  for (const [body, pointer] of [
    [{ name: null }, '/name'],
    [{ labels: { hall: { row: null } } }, '/labels/hall/row'],
  ] as const) {
    const refused = await send<{ errors: { pointer: string }[] }>('PATCH', `/choirs/${choir.id}`, body);
    expect([refused.status, refused.body.errors[0]?.pointer]).toEqual([400, pointer]);
  }
});

test('null in a merge patch removes a field that the contract does not declare', async () => {
  const choir = await createChoir();
  const patch = (body: object) => send('PATCH', `/choirs/${choir.id}`, body, 'application/merge-patch+json');
  expect((await patch({ colour: 'red', mood: { a: 1, b: 2 } })).body).toMatchObject({ colour: 'red' });
  const removed = await patch({ colour: null, mood: { b: null }, shade: null });
  expect([removed.status, removed.body]).toEqual([200, { ...choir, mood: { a: 1 } }]);
  expect(await readChoir(choir)).toEqual({ ...choir, mood: { a: 1 } });
});

test('the document of /v1 has both media types of a body', async () => {
  const { body } = await sandbox.call<{
    paths: Record<string, { patch: { requestBody: { content: object } } }>;
  }>('/v1/openapi.json', key.token);
  expect(Object.keys(body.paths['/v1/choirs/{choirId}']?.patch.requestBody.content ?? {})).toEqual([
    'application/json',
    'application/merge-patch+json',
  ]);
});

test('a change without its optional body has the effect of an empty object, and is refused if the object lacks a required field', async () => {
  const withoutBody = (method: string, path: string) => sandbox.call<Choir>(`/v1${path}`, key.token, { method });
  const formed = await withoutBody('POST', '/choirs/formed');
  expect([formed.status, formed.body]).toEqual([201, { id: expect.any(Number), name: expect.any(String) }]);
  const choir = await createChoir();
  await send('PUT', `/choirs/${choir.id}`, { tempo: 90 });
  expect((await withoutBody('PUT', `/choirs/${choir.id}/form`)).status).toBe(200);
  expect(await readChoir(choir)).toEqual({ id: choir.id, name: expect.any(String) });
  expect((await withoutBody('POST', '/choirs/registered')).status).toBe(400);
});

test('the served document requires a body unless the operation runs without it', async () => {
  const { body } = await sandbox.call<{ paths: Record<string, unknown> }>('/v1/openapi.json');
  const isRequired = (method: string, path: string): unknown =>
    Reflect.get(Object(Reflect.get(Object(body.paths[path]), method)), 'requestBody');
  expect(isRequired('post', '/v1/choirs/formed')).toMatchObject({ required: false });
  expect(isRequired('put', '/v1/choirs/{choirId}/form')).toMatchObject({ required: false });
  expect(isRequired('post', '/v1/choirs/registered')).toMatchObject({ required: true });
});
