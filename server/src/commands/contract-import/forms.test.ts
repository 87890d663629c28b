// The forms that documents give to objects and operations: bodies that contain an object in a field, operations about no
// object, and links in place of cursors.
import { expect, test } from 'vitest';
import { importDocument } from './index.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = (schema: object) => ({ 200: { description: 'OK', ...content(schema) } });
const object = (properties: object) => ({ type: 'object', properties });
const note = { id: { type: 'integer' }, text: { type: 'string' }, item: object({ size: { type: 'integer' } }) };
const parameter = { name: 'note_id', in: 'path', required: true, schema: { type: 'integer' } };

/** Imports a document with notes, and these operations on `/notes` and on further paths. */
function importNotes(notes: object, paths: object = {}) {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes': { get: { operationId: 'listNotes', responses: ok({ type: 'array', items: ref('Note') }) }, ...notes },
      '/notes/{note_id}': { parameters: [parameter], get: { operationId: 'getNote', responses: ok(ref('Note')) } },
      ...paths,
    },
    components: { schemas: { Note: object(note), Tag: object({ id: { type: 'integer' }, word: { type: 'string' } }) } },
  };
  const { resources, findings } = importDocument('notes.json', JSON.stringify(document));
  const operationsOf = (name: string) => resources.find((one) => one.name === name)?.operations ?? {};
  return { operationsOf, reasons: findings.map(({ pointer, reason }) => `${pointer} ${reason}`) };
}

const createWith = (schema: object) => {
  const post = { operationId: 'createNote', requestBody: content(schema), responses: { 201: ok(ref('Note'))[200] } };
  return importNotes({ post }).operationsOf('Note').createNote?.input?.in;
};

test.each([
  ['data', object({ data: ref('Note') }), 'data'],
  ['the noun of the path', object({ note: object({ text: { type: 'string' } }) }), 'note'],
  ['data, next to metadata', object({ data: ref('Note'), meta: object({}) }), 'data'],
  ['no field, without a field around the object', object({ text: { type: 'string' } }), undefined],
  ['no field, if the object has the field', object({ item: note.item }), undefined],
])('a body contains the object in %s', (_, schema, field) => {
  expect(createWith(schema)).toBe(field);
});

test('a file keeps the parameters of its type, except those that no header can have', () => {
  const types = ['text/csv; charset=UTF-8', 'text/plain;title="A list"', 'application/pdf'];
  const file = { 200: { description: 'OK', content: Object.fromEntries(types.map((type) => [type, {}])) } };
  const { operationsOf } = importNotes(
    {},
    { '/notes/{note_id}/file': { get: { operationId: 'getFile', responses: file }, parameters: [parameter] } },
  );
  expect(operationsOf('Note').getFile?.content).toMatchObject({
    of: 'file',
    types: ['text/csv; charset=utf-8', 'text/plain', 'application/pdf'],
  });
});

const tag = (name: string) => ({ tags: [name] });

test('an operation about no object is an action of the resource of its response, of its path or of its tag', () => {
  const tags = {
    get: { operationId: 'listTags', ...tag('words'), responses: ok({ type: 'array', items: ref('Tag') }) },
  };
  const { operationsOf, reasons } = importNotes(
    { patch: { operationId: 'changeNotes', responses: ok({ type: 'array', items: ref('Note') }) } },
    {
      '/tags': tags,
      '/best-tag': { get: { operationId: 'getBestTag', responses: ok(ref('Tag')) } },
      '/word-count': { get: { operationId: 'getWordCount', ...tag('words'), responses: ok(object({})) } },
      '/health': { get: { operationId: 'getHealth', responses: ok(object({ up: { type: 'boolean' } })) } },
    },
  );
  const actions = (name: string): string[] =>
    Object.entries(operationsOf(name)).flatMap(
      ([
        id,
        {
          effect,
          content: { of },
        },
      ]) => (effect === 'action' ? [`${id} ${of}`] : []),
    );
  expect([actions('Note'), actions('Tag')]).toEqual([
    ['changeNotes list', 'getHealth value'],
    ['getBestTag object', 'getWordCount value'],
  ]);
  expect(reasons).toContain(
    '/paths/~1health/get names no object. The contract has it as an action of Note, which changes no object in the sandbox',
  );
});

test('an operation whose path names an object of no resource is left out', () => {
  const remove = { operationId: 'removeUser', responses: { 204: { description: 'Removed' } } };
  const { reasons } = importNotes({}, { '/users/{note_id}/sessions': { parameters: [parameter], delete: remove } });
  expect(reasons).toContain(
    '/paths/~1users~1{note_id}~1sessions/delete belongs to no resource of the contract. The contract leaves it out',
  );
});

test('an operation with the name of an operation of the platform has another name', () => {
  const get = { operationId: 'list_events', responses: ok({ type: 'array', items: ref('Tag') }) };
  const { operationsOf, reasons } = importNotes({}, { '/events': { get } });
  expect(Object.keys(operationsOf('Tag'))).toEqual(['list_events2']);
  expect(reasons).toContain('/paths/~1events/get is called list_events2 in the contract');
});

/** Imports a list with a query parameter that has these fields. */
function importFilter(fields: object) {
  const filter = { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: object(fields) };
  const get = { operationId: 'listTags', parameters: [filter], responses: ok({ type: 'array', items: ref('Tag') }) };
  return importNotes({}, { '/tags': { get } });
}

test('a query parameter with fields becomes a parameter for each field that is one text', () => {
  const { operationsOf, reasons } = importFilter({
    state: { type: 'string', enum: ['open', null], nullable: true },
    tags: { type: 'array', items: {} },
  });
  expect(operationsOf('Tag').listTags?.query).toEqual({
    'filter[state]': { schema: { type: 'string', enum: ['open'] } },
  });
  expect(reasons).toContain(
    '/paths/~1tags/get/parameters/0 is the query parameter filter with fields. The sandbox ignores them',
  );
});

test('a query parameter with more than 100 fields is left out and reported', () => {
  const fields = Array.from({ length: 101 }, (_, at) => [`field${at}`, { type: 'string' }]);
  const { operationsOf, reasons } = importFilter(Object.fromEntries(fields));
  expect(operationsOf('Tag').listTags?.query).toBeUndefined();
  expect(reasons).toContain(
    '/paths/~1tags/get/parameters/0 is the query parameter filter, whose form the contract cannot express',
  );
});

test('a link to the next page that is an object is no cursor', () => {
  const link = object({ href: { type: 'string' } });
  const pages = (next: object) => {
    const links = object({ next });
    const schema = object({ data: { type: 'array', items: ref('Tag') }, links });
    const cursor = { name: 'cursor', in: 'query', schema: { type: 'string' } };
    const get = { operationId: 'listTags', parameters: [cursor], responses: ok(schema) };
    const found = importNotes({}, { '/tags': { get } }).operationsOf('Tag').listTags?.content;
    return found?.of === 'list' && found.paging.by === 'cursor' ? found.paging.next : 'no list';
  };
  expect([pages({ type: 'string' }), pages(link)]).toEqual(['links.next', undefined]);
});

const linked = (links: object) => ({ allOf: [ref('Note'), object({ _links: object(links) })] });
const selfOf = (schema: object, path = '/notes/{note_id}') => {
  const paths = { [path]: { parameters: [parameter], get: { operationId: 'getNote', responses: ok(schema) } } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Notes', version: '1' },
    paths,
    components: { schemas: { Note: object(note) } },
  };
  const { resources, findings } = importDocument('notes.json', JSON.stringify(document));
  const reported = findings.filter(({ reason }) => reason.startsWith('is a link.')).map(({ pointer }) => pointer);
  return [resources[0]?.selfField, reported.map((pointer) => pointer.split('/').at(-1))];
};

test('the field with the address of an object is found by its name, and other links are reported', () => {
  const href = object({ href: { type: 'string' } });
  expect(selfOf(linked({ self: href, author: href, size: { type: 'integer' } }))).toEqual(['_links.self', ['author']]);
  expect(selfOf(linked({ self: { type: 'string', format: 'uri' } }))).toEqual(['_links.self', []]);
  expect(selfOf(object({ ...note, self_url: { type: 'string' } }))).toEqual(['self_url', []]);
});
