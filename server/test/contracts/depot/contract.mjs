// A contract for tests of the fields around the content of a response: totals, flags, addresses of pages and constants.
const name = { type: 'string', minLength: 1, maxLength: 80 };
const count = { type: 'integer', minimum: 0 };
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const address = { type: ['string', 'null'], format: 'uri' };
const READ = ['crates:read'];
const WRITE = ['crates:write'];

/** The fields around crates by page. An upstream API need not know the total. */
const pageAround = {
  schema: object(
    {
      object: { const: 'list' },
      data: { type: 'array' },
      meta: object({ total: count, pages: count, page: count, per_page: count, in_page: count }, ['page', 'per_page']),
      links: object({ self: address, first: address, previous: address, next: address, last: address }),
      notice: { type: 'string', examples: ['Closed on Sundays'] },
    },
    ['object', 'data', 'meta', 'links'],
  ),
  values: {
    'meta.total': 'total',
    'meta.pages': 'pages',
    'meta.page': 'page',
    'meta.per_page': 'limit',
    'meta.in_page': 'count',
    'links.self': 'self',
    'links.first': 'first',
    'links.previous': 'previous',
    'links.next': 'next',
    'links.last': 'last',
  },
};
/** The fields around the crates of a yard, by cursor. The last page has no cursor. */
const cursorAround = {
  schema: object({
    items: { type: 'array' },
    meta: object({
      pagination: object({ cursor: { type: 'string' }, total: count, has_more: { type: 'boolean' } }, [
        'total',
        'has_more',
      ]),
    }),
  }),
  values: { 'meta.pagination.total': 'total', 'meta.pagination.has_more': 'hasMore' },
};
const offsetAround = {
  schema: object({
    rows: { type: 'array' },
    skipped: count,
    next: { type: ['integer', 'null'] },
    final: { type: 'boolean' },
  }),
  values: { skipped: 'offset', next: 'next', final: 'isLast' },
};

const one = (effect, method, path, scopes, more = {}) => ({
  effect,
  method,
  path,
  summary: `${method} ${path}`,
  scopes,
  status: 200,
  content: { of: 'object' },
  ...more,
});
const list = (path, content, more = {}) =>
  one('list', 'GET', path, READ, { content: { of: 'list', ...content }, ...more });
const body = (properties) => ({ required: true, schema: { ...object(properties), additionalProperties: false } });

export default (kit) => {
  const shared = { file: import.meta.url, scope: 'crates:read', events: {} };
  const id = (noun) => ({ field: 'id', form: 'integer', description: `The number of the ${noun}.` });
  const Yard = kit.resource({
    ...shared,
    ...{
      name: 'Yard',
      kind: 'yard',
      plural: 'yards',
      noun: 'yard',
      description: 'A yard.',
      path: 'yards',
      tag: 'Yards',
    },
    idPrefix: 'yrd',
    grants: true,
    origin: 'seeded',
    identity: id('yard'),
    fields: { name },
    example: { id: 1, name: 'North' },
    operations: {
      getYard: one('get', 'GET', '/yards/{yardId}', READ, {
        content: {
          of: 'object',
          in: 'yard',
          around: {
            schema: object({ yard: {}, version: { const: 2 }, region: { type: 'string', examples: ['EU'] } }, [
              'yard',
              'version',
            ]),
          },
        },
      }),
      weighYard: one('action', 'POST', '/yards/{yardId}/weigh', WRITE, {
        content: {
          of: 'value',
          schema: object({
            yard_id: { type: 'integer', examples: [77] },
            scale: object({ YardId: { type: 'string' } }),
          }),
        },
      }),
    },
  });
  const fields = { yard_id: { type: 'integer' }, name, kind: { type: 'string', enum: ['dry', 'wet'] } };
  const Crate = kit.resource({
    ...shared,
    ...{
      name: 'Crate',
      kind: 'crate',
      plural: 'crates',
      noun: 'crate',
      description: 'A crate.',
      path: 'crates',
      tag: 'Crates',
    },
    idPrefix: 'crt',
    parent: Yard,
    parentField: 'yard_id',
    origin: 'made',
    identity: id('crate'),
    fields,
    example: { id: 1, yard_id: 1, name: 'Tea', kind: 'dry' },
    operations: {
      listCrates: list(
        '/crates',
        {
          in: 'data',
          paging: { by: 'page', parameter: 'page', limit: 'per_page', maxLimit: 50, defaultLimit: 4 },
          around: pageAround,
        },
        { query: { kind: { schema: fields.kind } } },
      ),
      listYardCrates: list('/yards/{yardId}/crates', {
        in: 'items',
        paging: { by: 'cursor', parameter: 'after', limit: 'limit', next: 'meta.pagination.cursor' },
        around: cursorAround,
      }),
      listCrateRange: list('/yards/{yardId}/crate-range', {
        in: 'rows',
        paging: { by: 'offset', parameter: 'skip', limit: 'take' },
        around: offsetAround,
      }),
      findCrates: one('action', 'POST', '/yards/{yardId}/crates/find', READ, {
        input: body({ kind: fields.kind }),
        content: {
          of: 'list',
          in: 'data',
          paging: { by: 'page', parameter: 'page', limit: 'per_page', maxLimit: 50, defaultLimit: 4 },
          around: pageAround,
        },
      }),
      listSimilarCrates: one('action', 'POST', '/crates/{crateId}/similar', WRITE, {
        content: { of: 'list', paging: { by: 'none' } },
      }),
      addCrate: one('create', 'POST', '/yards/{yardId}/crates', WRITE, {
        status: 201,
        input: body({ name, kind: fields.kind }),
      }),
    },
  });
  const Tag = kit.resource({
    ...shared,
    ...{
      name: 'Tag',
      kind: 'tag',
      plural: 'tags',
      noun: 'tag',
      description: 'A tag of a crate.',
      path: 'tags',
      tag: 'Tags',
    },
    idPrefix: 'tag',
    origin: 'made',
    identity: id('tag'),
    fields: { crate_id: { type: 'integer', examples: [4711] }, name },
    example: { id: 1, crate_id: 4711, name: 'Fragile' },
    operations: {
      listTags: list('/tags', {
        in: 'tags',
        paging: { by: 'none' },
        around: { schema: object({ total: count, tags: { type: 'array' } }), values: { total: 'total' } },
      }),
      addTag: one('create', 'POST', '/crates/{crateNumber}/tags', WRITE, {
        params: { crateNumber: { schema: { type: 'integer' } } },
        status: 201,
        input: body({ name }),
      }),
      moveTag: one('create', 'POST', '/racks/{crateId}/tags', WRITE, {
        params: { crateId: { schema: { type: 'string', maxLength: 20 } } },
        status: 201,
        input: body({ name }),
      }),
    },
  });
  return kit.defineContract({
    file: import.meta.url,
    name: 'depot',
    version: '1.0.0',
    scopes: { 'crates:read': 'Read crates', 'crates:write': 'Change crates', 'events:read': 'Read events' },
    keyPresets: {},
    resources: [Yard, Crate, Tag],
    presets: {
      empty: { meaning: 'nothing', counts: { yards: 0, crates: 0, tags: 0 }, script: 'plain', tickMs: 600_000 },
      small: { meaning: 'three yards', counts: { yards: 3, crates: 3, tags: 2 }, script: 'plain', tickMs: 600_000 },
    },
  });
};
