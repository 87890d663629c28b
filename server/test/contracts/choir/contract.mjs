// A contract for tests of operations that are about a part of an object, or about a collection: choirs, and singers in
// choirs.
const READ = 'choirs:read';
const WRITE = 'choirs:write';
const name = { type: 'string', maxLength: 60 };
const object = (properties, required = []) => ({ type: 'object', required, properties });
const labels = {
  type: 'object',
  properties: { hall: object({ row: { type: 'integer' }, seat: { type: 'integer' } }, ['row']) },
  additionalProperties: { type: 'string', maxLength: 20 },
};
const voices = { type: 'array', items: { type: 'string', enum: ['alto', 'bass', 'tenor'] } };
const body = (properties, more = {}) => ({ required: true, schema: { type: 'object', properties }, ...more });
const uri = { type: 'string', format: 'uri' };
const link = object({ href: uri, templated: { type: 'boolean' } }, ['href']);
const operation = (effect, method, path, more = {}) => ({
  effect,
  method,
  path,
  summary: `${method} ${path}`,
  scopes: [method === 'GET' ? READ : WRITE],
  status: effect === 'create' ? 201 : 200,
  content: { of: 'object' },
  ...more,
});

export default (kit) => {
  const shared = { file: import.meta.url, scope: READ, origin: 'made', tag: 'Choirs' };
  const choir = kit.resource({
    ...shared,
    name: 'Choir',
    kind: 'choir',
    plural: 'choirs',
    noun: 'choir',
    description: 'A choir.',
    path: 'choirs',
    idPrefix: 'cho',
    identity: { field: 'id', form: 'integer', description: 'The number of the choir.' },
    fields: { name, tempo: { type: 'integer' }, labels },
    optional: ['tempo', 'labels'],
    open: true,
    example: { id: 1, name: 'Harbour choir' },
    operations: {
      createChoir: operation('create', 'POST', '/choirs', { input: body({ name, labels }) }),
      formChoir: operation('create', 'POST', '/choirs/formed', { input: { schema: object({ name, labels }) } }),
      registerChoir: operation('create', 'POST', '/choirs/registered', {
        input: { schema: object({ name }, ['name']) },
      }),
      reformChoir: operation('replace', 'PUT', '/choirs/{choirId}/form', {
        input: { schema: object({ tempo: { type: 'integer' } }) },
      }),
      getChoir: operation('get', 'GET', '/choirs/{choirId}'),
      updateChoir: operation('update', 'PATCH', '/choirs/{choirId}', {
        input: body({ name, labels }, { type: 'application/merge-patch+json' }),
      }),
      renameChoir: operation('action', 'POST', '/choirs/{choirId}/rename', { input: body({ name }) }),
      nameChoir: operation('action', 'POST', '/choirs/{choirId}/actions/name', { input: body({ name }) }),
      replaceSettings: operation('action', 'PUT', '/choirs/{choirId}/settings', {
        input: body({ id: { type: 'string' }, name, tempo: { type: 'integer' } }),
        content: {
          of: 'value',
          schema: { type: 'object', required: ['tempo'], properties: { tempo: { type: 'integer' } } },
        },
      }),
      retuneChoir: operation('action', 'PUT', '/choirs/{choirId}', {
        input: body({ id: { type: 'integer' }, tempo: { type: 'integer' } }),
        content: {
          of: 'value',
          schema: { type: 'object', required: ['tempo'], properties: { tempo: { type: 'integer' } } },
        },
      }),
      reserveSeat: operation('action', 'PUT', '/choirs/{choirId}/seats/{seat}', {
        params: { seat: { schema: { type: 'string', maxLength: 10 } } },
        input: body({ name, note: name }),
        status: 204,
        content: { of: 'nothing' },
      }),
    },
    events: { 'choir.changed': { meaning: 'A choir changed.', changes: true } },
  });
  const singer = kit.resource({
    ...shared,
    name: 'Singer',
    kind: 'singer',
    plural: 'singers',
    noun: 'singer',
    description: 'A singer.',
    parent: choir,
    path: 'singers',
    idPrefix: 'sin',
    identity: { field: 'id', form: 'integer', description: 'The number of the singer.' },
    fields: { name, voices, _links: object({ self: link }, ['self']) },
    selfField: '_links.self',
    example: { id: 1, name: 'Ada', voices: ['alto'], _links: { self: { href: 'https://choirs.example/singers/1' } } },
    operations: {
      createSinger: operation('create', 'POST', '/choirs/{choirId}/singers', { input: body({ name, voices }) }),
      listSingers: operation('list', 'GET', '/choirs/{choirId}/singers', {
        query: { voices: { schema: voices.items } },
        content: { of: 'list', paging: { by: 'none' } },
      }),
      getSinger: operation('get', 'GET', '/singers/{singerId}', {
        content: {
          of: 'object',
          in: 'data',
          around: {
            schema: object({ data: { type: 'object' }, links: object({ self: uri }, ['self']) }, ['data', 'links']),
            values: { 'links.self': 'self' },
          },
        },
      }),
      listHalSingers: operation('list', 'GET', '/choirs/{choirId}/hal-singers', {
        content: {
          of: 'list',
          in: '_embedded.singers',
          type: 'application/hal+json',
          paging: { by: 'page', parameter: 'page', limit: 'size' },
          around: {
            schema: object(
              {
                _embedded: object({ singers: { type: 'array' } }, ['singers']),
                _links: object({ self: link, next: link, prev: link }, ['self']),
                total_count: { type: 'string', pattern: '^\\d{1,9}$' },
              },
              ['_embedded', '_links', 'total_count'],
            ),
            values: {
              '_links.self': 'self',
              '_links.next': 'next',
              '_links.prev': 'previous',
              total_count: 'total',
            },
          },
        },
      }),
      findSingers: operation('action', 'POST', '/choirs/{choirId}/singers/find', {
        input: body({ name, voices: voices.items, sort: name }),
        content: {
          of: 'list',
          in: 'found',
          paging: { by: 'page', parameter: 'page', limit: 'limit' },
          around: {
            schema: {
              type: 'object',
              required: ['found', 'total'],
              properties: { found: { type: 'array' }, total: { type: 'integer' } },
            },
            values: { total: 'total' },
          },
        },
      }),
      countSingers: operation('action', 'POST', '/choirs/{choirId}/singers:count', {
        content: {
          of: 'value',
          schema: {
            type: 'object',
            required: ['n', 'ensemble'],
            properties: { n: { type: 'integer' }, ensemble: { type: 'integer', examples: [4711] } },
          },
        },
      }),
      searchSingers: operation('action', 'POST', '/choirs/{choirId}/singers/search', {
        input: body({ name }),
        content: {
          of: 'value',
          schema: { type: 'object', required: ['hits'], properties: { hits: { type: 'integer' } } },
        },
      }),
    },
    events: { 'singer.created': { meaning: 'A singer was added.', creates: true } },
  });
  const recording = kit.resource({
    ...shared,
    name: 'Recording',
    kind: 'recording',
    plural: 'recordings',
    noun: 'recording',
    description: 'A recording of a singer.',
    parent: choir,
    path: 'recordings',
    idPrefix: 'rec',
    identity: { field: 'id', form: 'integer', description: 'The number of the recording.' },
    parentField: 'ensemble',
    fields: { name, ensemble: { type: 'integer' } },
    example: { id: 1, name: 'Solo', ensemble: 1 },
    operations: {
      recordSinger: operation('create', 'POST', '/choirs/{choirId}/singers/{singer}/record', {
        params: { singer: { schema: { type: 'string' }, of: 'Singer' } },
        input: body({ name }),
        status: 202,
      }),
    },
    events: {},
  });
  return kit.defineContract({
    file: import.meta.url,
    name: 'choir',
    scopes: { [READ]: 'Read', [WRITE]: 'Write', 'events:read': 'Read events' },
    keyPresets: {},
    resources: [choir, singer, recording],
    presets: {
      empty: {
        meaning: 'nothing',
        counts: { choirs: 0, singers: 0, recordings: 0 },
        script: 'plain',
        tickMs: 600_000,
      },
    },
  });
};
