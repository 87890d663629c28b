// A contract for tests whose schemas have examples, as the import of a document writes them. The example of each
// identifier is the identifier of a sample.
const REFERENCE = '6d1f0a52-8c1e-4b7a-9f63-2a7f5d0c9e11';
const READ = 'theatre:read';
const WRITE = 'theatre:write';
const reference = { type: 'string', format: 'uuid', examples: [REFERENCE] };
const code = { type: 'string', pattern: '^HALL-[0-9]{1,6}$', examples: ['HALL-1'] };
const event = {
  name: { type: 'string', minLength: 1, maxLength: 60, examples: ['Songs of the Harbour'] },
  location: { type: 'string', maxLength: 40 },
  kind: { type: 'string', enum: ['workshop', 'talk', 'tour'], examples: ['workshop'] },
  dates: { type: 'array', items: { type: 'string', format: 'date', examples: ['2025-03-14'] } },
  opens: { type: 'string', pattern: '^([01]\\d|2[0-3]):?([0-5]\\d)$', examples: ['09:00'] },
  price: { type: 'number', minimum: 5, maximum: 60, multipleOf: 0.5, examples: [25] },
  seats: { type: 'integer', minimum: 10, maximum: 40, examples: [40] },
  currency: { type: 'string', examples: ['EUR'] },
  confirmationCode: { type: 'string', examples: ['seat-balcony-4f0c21-9ab37'] },
  website: { anyOf: [{ type: 'string', format: 'uri', examples: ['https://theatre.example/'] }, { type: 'null' }] },
  sponsorId: { type: 'string', examples: ['sponsor-100'] },
};
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
const input = (required, properties) => ({ required: true, schema: { type: 'object', required, properties } });
const list = { of: 'list', paging: { by: 'page', parameter: 'page', limit: 'limit' } };
const file = (type) =>
  operation('action', 'GET', `/concerts/{concertId}/${type.replace(/\W/g, '-')}`, {
    content: { of: 'file', types: [type], maxBytes: 10_000 },
  });

export default (kit) => {
  const shared = { file: import.meta.url, scope: READ, origin: 'made', tag: 'Theatre' };
  const Concert = kit.resource({
    ...shared,
    name: 'Concert',
    kind: 'concert',
    plural: 'concerts',
    noun: 'concert',
    description: 'A concert.',
    path: 'concerts',
    idPrefix: 'con',
    identity: { field: 'reference', form: 'uuid', description: 'The identifier of the event.', examples: [REFERENCE] },
    fields: event,
    optional: ['reference'],
    example: {
      reference: '0b9c4a7e-51d2-4e0f-8a36-7f1c2d3e4b55',
      name: 'Winter Strings',
      location: 'Main Hall',
      kind: 'talk',
      dates: ['2025-04-11', '2025-04-18'],
      opens: '10:30',
      price: 40,
      seats: 30,
      currency: 'EUR',
      confirmationCode: 'seat-stalls-77c1d0-3fe58',
      website: null,
      sponsorId: 'sponsor-200',
    },
    samples: [
      {
        reference: REFERENCE,
        name: 'Songs of the Harbour',
        location: 'Computer Room',
        kind: 'workshop',
        dates: ['2025-03-14'],
        opens: '09:00',
        price: 45,
        seats: 20,
        currency: 'EUR',
        confirmationCode: 'seat-balcony-4f0c21-9ab37',
        website: 'https://theatre.example/songs',
        sponsorId: 'sponsor-100',
      },
    ],
    operations: {
      listConcerts: operation('list', 'GET', '/concerts', {
        content: list,
        query: { dates: { schema: event.dates.items } },
      }),
      createConcert: operation('create', 'POST', '/concerts', {
        input: input(['name'], { reference, ...event }),
      }),
      getConcert: operation('get', 'GET', '/concerts/{concertId}'),
      getPng: file('image/png'),
      getGif: file('image/gif'),
      getJpeg: file('image/jpeg'),
      getSvg: file('image/svg+xml'),
      getPdf: file('application/pdf'),
      getText: file('text/csv'),
      getReport: operation('action', 'GET', '/concerts/{concertId}/report', {
        content: {
          of: 'file',
          types: ['application/pdf', 'text/csv; charset=utf-8', 'image/svg+xml; charset=utf-8'],
          maxBytes: 10_000,
        },
      }),
      printBadge: operation('action', 'POST', '/concerts/{concertId}/badge', {
        content: { of: 'file', types: ['image/png'], maxBytes: 10_000 },
      }),
    },
    events: { 'concert.created': { meaning: 'An event was created.', creates: true } },
  });
  const Hall = kit.resource({
    ...shared,
    name: 'Hall',
    kind: 'hall',
    plural: 'halls',
    noun: 'hall',
    description: 'A hall, which its creator must name.',
    path: 'halls',
    idPrefix: 'hal',
    identity: {
      field: 'code',
      form: 'text',
      pattern: '^HALL-[0-9]{1,6}$',
      description: 'The code of the hall.',
      examples: ['HALL-1'],
    },
    fields: { label: { type: 'string', examples: ['East hall', 'West hall'] } },
    example: { code: 'HALL-2', label: 'West hall' },
    samples: [{ code: 'HALL-1', label: 'East hall' }],
    operations: {
      createHall: operation('create', 'POST', '/halls', {
        input: input(['code', 'label'], { code, label: { type: 'string', examples: ['East hall'] } }),
      }),
      importHall: operation('create', 'POST', '/imported-halls', {
        input: {
          required: true,
          schema: { ...input(['code'], { code }).schema, examples: [{ code: 'HALL-77', label: 'North hall' }] },
        },
      }),
      updateHall: operation('update', 'PATCH', '/halls/{hallId}', { input: input([], { code }) }),
      getHall: operation('get', 'GET', '/halls/{hallId}'),
    },
    events: {},
  });
  return kit.defineContract({
    file: import.meta.url,
    name: 'theatre',
    scopes: { [READ]: 'Read', [WRITE]: 'Write', 'events:read': 'Read events' },
    keyPresets: {},
    resources: [Concert, Hall],
    presets: {
      small: { meaning: 'ten', counts: { concerts: 10, halls: 5 }, script: 'plain', tickMs: 600_000 },
      busy: { meaning: 'many', counts: { concerts: 200, halls: 5 }, script: 'plain', tickMs: 600_000 },
    },
  });
};
