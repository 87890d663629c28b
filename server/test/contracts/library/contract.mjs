// A contract for tests of hostile requests: shelves whose numbers clients may give, and notes that clients name and that
// accept further fields. Its handlers return values that the schema refuses, if a note asks for them.
const READ = 'library:read';
const WRITE = 'library:write';
const label = { type: 'string', maxLength: 60 };
const body = (properties, required = []) => ({ required: true, schema: { type: 'object', required, properties } });
const operation = (effect, method, path, more = {}) => ({
  effect,
  method,
  path,
  summary: `${method} ${path}`,
  scopes: [method === 'GET' ? READ : WRITE],
  status: 200,
  content: { of: 'object' },
  ...more,
});

export default (kit) => {
  const shared = { file: import.meta.url, scope: READ, origin: 'made', tag: 'Library' };
  const shelf = kit.resource({
    ...shared,
    name: 'Shelf',
    kind: 'shelf',
    plural: 'shelves',
    noun: 'shelf',
    description: 'A shelf.',
    path: 'shelves',
    idPrefix: 'shf',
    identity: { field: 'id', form: 'integer', description: 'The number of the shelf.' },
    // No value is found for the pattern.
    fields: {
      label,
      number: { type: 'integer' },
      mark: { type: 'string', pattern: '^(?=[a-z]{3}y)[a-z]{2}[x-z]{2}$' },
    },
    example: { id: 1, label: 'Tea', number: 3, mark: 'aaxy' },
    operations: {
      createShelf: operation('create', 'POST', '/shelves', { status: 201, input: body({ id: {}, label, number: {} }) }),
      putShelf: operation('create', 'PUT', '/shelves/{shelfId}', { status: 201, input: body({ label }) }),
      getShelf: operation('get', 'GET', '/shelves/{shelfId}'),
      deleteShelf: operation('delete', 'DELETE', '/shelves/{shelfId}', { status: 204, content: { of: 'nothing' } }),
      printShelf: operation('action', 'POST', '/shelves/{shelfId}/print', {
        content: { of: 'file', types: ['application/pdf'], maxBytes: 1000 },
      }),
      drawShelf: operation('action', 'POST', '/shelves/{shelfId}/drawing', {
        status: 201,
        content: { of: 'file', types: ['image/png', 'image/gif'], maxBytes: 1000 },
      }),
      checkShelf: operation('action', 'GET', '/shelves/{shelfId}/check', { status: 204, content: { of: 'nothing' } }),
      countShelf: operation('action', 'GET', '/shelves/{shelfId}/count', {
        status: 203,
        content: { of: 'value', type: 'application/vnd.count+json', schema: { type: 'integer', minimum: 1 } },
      }),
    },
    events: { 'shelf.added': { meaning: 'A shelf was added', creates: true } },
  });
  const page = kit.resource({
    ...shared,
    name: 'Page',
    kind: 'page',
    plural: 'pages',
    noun: 'page',
    description: 'A page, which no request changes.',
    parent: shelf,
    path: 'pages',
    idPrefix: 'pag',
    origin: 'seeded',
    identity: { field: 'id', form: 'integer', description: 'The number of the page.' },
    fields: { label },
    example: { id: 1, label: 'Tea' },
    operations: {
      listPages: operation('list', 'GET', '/pages', { content: { of: 'list', paging: { by: 'none' } } }),
    },
    events: {},
  });
  const note = kit.resource({
    ...shared,
    name: 'Note',
    kind: 'note',
    plural: 'notes',
    noun: 'note',
    description: 'A note.',
    path: 'notes',
    idPrefix: 'not',
    identity: { field: 'slug', form: 'text', description: 'The name of the note.' },
    fields: { label },
    open: true,
    hidden: { attempts: { type: 'integer' } },
    example: { slug: 'tea', label: 'Tea' },
    onCreate: ({ input }) => {
      globalThis.handledNotes?.push(input.label);
      return { set: {}, dueInMs: 0 };
    },
    onDue: ({ object }) => {
      if (object.label === 'Throws') throw new Error('The note throws.');
      return { set: { label: object.label === 'Long' ? 'x'.repeat(61) : 'Done', attempts: 1 } };
    },
    operations: {
      createNote: operation('create', 'POST', '/notes', { status: 201, input: body({ slug: {}, label }) }),
      getNote: operation('get', 'GET', '/notes/{noteId}'),
    },
    events: {},
  });
  return kit.defineContract({
    file: import.meta.url,
    name: 'library',
    scopes: { [READ]: 'Read', [WRITE]: 'Write', 'events:read': 'Read events' },
    keyPresets: {},
    resources: [shelf, page, note],
    presets: {
      small: { meaning: 'two', counts: { shelves: 2, pages: 1, notes: 0 }, script: 'plain', tickMs: 600_000 },
    },
  });
};
