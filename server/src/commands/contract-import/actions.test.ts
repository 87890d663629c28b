// The resources of operations whose path is neither that of a collection nor that of one of its objects.
import { describe, expect, test } from 'vitest';
import { importDocument } from './index.ts';

const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });
const object = (properties: object) => ({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, ...properties },
});
const ok = (schema: object) => ({ 200: { description: 'OK', ...content(schema) } });
const nothing = { 204: { description: 'OK' } };
const counts = { type: 'object', additionalProperties: { type: 'integer' } };

const { resources, findings } = importDocument(
  'groups.json',
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Groups', version: '1' },
    paths: {
      '/groups/{groupId}': { parameters: [parameter('groupId')], get: { responses: ok(reference('Group')) } },
      '/groups/{groupId}/notes': {
        parameters: [parameter('groupId')],
        get: { responses: ok({ type: 'array', items: reference('Note') }) },
      },
      '/groups/{groupId}/notes/search': {
        parameters: [parameter('groupId')],
        post: {
          operationId: 'searchNotes',
          requestBody: content({ type: 'object', properties: { text: { type: 'string' } } }),
          responses: ok({ type: 'object', properties: { count: { type: 'integer' } } }),
        },
      },
      '/groups/{groupId}/users/{userId}': {
        parameters: [parameter('groupId'), parameter('userId')],
        put: { operationId: 'addUser', responses: nothing },
        delete: { operationId: 'removeUser', responses: nothing },
      },
      '/groups/{groupId}/votes/{answer}': {
        parameters: [parameter('groupId'), parameter('answer')],
        put: { operationId: 'vote', responses: ok(counts) },
      },
      '/users/{userId}': { parameters: [parameter('userId')], delete: { responses: nothing } },
    },
    components: { schemas: { Group: object({}), Note: object({ text: { type: 'string' } }) } },
  }),
);
const operationsOf = (name: string): string[] =>
  Object.entries(resources.find((one) => one.name === name)?.operations ?? {}).map(
    ([
      id,
      {
        effect,
        method,
        path,
        content: { of },
      },
    ]) => `${id}: ${effect} ${method} ${path} (${of})`,
  );

test('an operation below the path of a collection belongs to the resource of the collection', () => {
  expect(operationsOf('Note')).toContain('searchNotes: action POST /groups/{groupId}/notes/search (value)');
});

test('operations on objects that no response identifies are actions on the object above in the path', () => {
  expect(resources.map(({ name }) => name)).toEqual(['Group', 'Note']);
  expect(operationsOf('Group').slice(1)).toEqual([
    'addUser: action PUT /groups/{groupId}/users/{userId} (nothing)',
    'removeUser: action DELETE /groups/{groupId}/users/{userId} (nothing)',
    'vote: action PUT /groups/{groupId}/votes/{answer} (value)',
  ]);
});

test('operations on objects that no response identifies are left out without an object above in the path', () => {
  expect(findings.find(({ pointer }) => pointer === '/paths/~1users~1{userId}/delete')?.reason).toBe(
    'belongs to a resource whose objects no response contains. The contract leaves it out',
  );
});

/** Imports a POST below the path of a note, which returns the note. Returns the effects of all operations on notes. */
function importBelow(path: string, status: number, body?: object): Record<string, string> {
  const note = object({ text: { type: 'string' }, status: { type: 'string', enum: ['draft', 'locked'] } });
  const post = {
    operationId: 'changeNote',
    ...(body && { requestBody: content(body) }),
    responses: { [status]: { description: 'OK', ...content(reference('Note')) } },
  };
  const imported = importDocument(
    'notes.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      paths: {
        '/notes': { get: { responses: ok({ type: 'array', items: reference('Note') }) } },
        '/notes/{note}': { parameters: [parameter('note')], get: { responses: ok(reference('Note')) } },
        [`/notes/{note}${path}`]: { parameters: [parameter('note')], post },
      },
      components: { schemas: { Note: note } },
    }),
  );
  expect(imported.resources.map(({ name }) => name)).toEqual(['Note']);
  const { effect, path: own, becomes, params } = imported.resources[0]?.operations?.changeNote ?? {};
  return {
    effect: `${effect} ${own}`,
    ...(becomes && { becomes }),
    ...(params && { params: Object.keys(params).join() }),
  };
}

test('a creation below an object of another resource names the resource in its parameter, and is reported', () => {
  const accepted = { responses: { 202: { description: 'OK', ...content(reference('Job')) } } };
  const read = (name: string) => ({ get: { responses: ok(reference(name)) } });
  const document = (host: object) => ({
    openapi: '3.1.0',
    info: { title: 'Hosts', version: '1' },
    paths: {
      '/hosts/{host}': { parameters: [parameter('host')], ...host },
      '/hosts/{host}/actions/drain': { parameters: [parameter('host')], post: { operationId: 'drain', ...accepted } },
      '/jobs': { get: { responses: ok({ type: 'array', items: reference('Job') }) } },
      '/jobs/{job}': { parameters: [parameter('job')], ...read('Job') },
    },
    components: { schemas: { Host: object({}), Job: object({}) } },
  });
  const importHosts = (host: object) => {
    const imported = importDocument('hosts.json', JSON.stringify(document(host)));
    const { effect, params } = imported.resources.find(({ name }) => name === 'Job')?.operations?.drain ?? {};
    return { effect, params, reasons: imported.findings.map(({ reason }) => reason) };
  };
  const { effect, params, reasons } = importHosts(read('Host'));
  expect([effect, params]).toEqual(['create', { host: { schema: { type: 'integer' }, of: 'Host' } }]);
  expect(reasons).toContain(
    'has the parameter host in its path, which identifies a host. The sandbox checks that it exists, and does not change it',
  );
  // The contract leaves out a host whose only operation has a body that is no JSON.
  const put = { requestBody: { content: { 'text/plain': {} } }, responses: ok(reference('Host')) };
  expect(importHosts({ put }).params).toEqual({ host: { schema: { type: 'integer' } } });
});

test('a path can end with the verb of a custom method, except after a parameter', () => {
  const note = { get: { responses: ok(reference('Note')) } };
  const merge = { operationId: 'mergeNotes', responses: nothing };
  const imported = importDocument(
    'notes.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      paths: {
        '/notes/{note}': { parameters: [parameter('note')], ...note },
        '/notes:merge': { post: merge },
        '/notes/{note}:lock': { parameters: [parameter('note')], post: { responses: nothing } },
      },
      components: { schemas: { Note: object({}) } },
    }),
  );
  expect(imported.resources[0]?.operations?.mergeNotes?.path).toBe('/notes:merge');
  expect(imported.findings.map(({ reason }) => reason)).toContain(
    'has the part {note}:lock in its path, which a route cannot have. The contract leaves out the operations of the path',
  );
});

describe('a POST that returns the object that its path names', () => {
  const reason = { type: 'object', required: ['reason'], properties: { reason: { type: 'string' }, text: {} } };

  test.each([200, 201, 202])('changes that object below a literal part, with the status %i', (status) => {
    expect(importBelow('/actions/lock', status)).toEqual({
      effect: 'action /notes/{noteId}/actions/lock',
      becomes: 'locked',
    });
    expect(importBelow('/revocations', status, reason)).toEqual({ effect: 'action /notes/{noteId}/revocations' });
  });

  test.each([
    ['the component of the object', reference('Note')],
    ['required fields of the object', { ...object({ copies: { type: 'integer' } }) }],
    ['fields of the object', { type: 'object', properties: { text: { type: 'string' } } }],
  ])('creates another object if the last part is a plural and the body has %s', (_, body) => {
    expect(importBelow('/replies', 201, body)).toEqual({ effect: 'create /notes/{note}/replies', params: 'note' });
    expect(importBelow('/actions/lock', 201, body).effect).toBe('action /notes/{noteId}/actions/lock');
  });
});
