// A contract for tests of objects that a PUT creates, and of small sets of identifiers. Harbours, which grant scopes,
// have berths; beacons have lamps.
const READ = 'harbour:read';
const WRITE = 'harbour:write';
const name = { type: 'string', maxLength: 60 };
const operation = (effect, method, path, more = {}) => ({
  effect,
  method,
  path,
  summary: `${method} ${path}`,
  scopes: [method === 'GET' ? READ : WRITE],
  status: effect === 'create' ? 201 : effect === 'delete' ? 204 : 200,
  content: { of: effect === 'delete' ? 'nothing' : 'object' },
  ...more,
});
const list = (path) =>
  operation('list', 'GET', path, {
    content: { of: 'list', in: 'data', paging: { by: 'offset', parameter: 'offset' } },
  });
const body = (properties, required = []) => ({ required: true, schema: { type: 'object', required, properties } });
const part = (kind, plural, more) => ({
  file: import.meta.url,
  scope: READ,
  tag: 'Harbour',
  name: kind.charAt(0).toUpperCase() + kind.slice(1),
  kind,
  plural,
  noun: kind,
  description: `A ${kind}.`,
  path: plural,
  idPrefix: kind.slice(0, 3),
  origin: 'made',
  ...more,
});

export default (kit) => {
  const harbour = kit.resource(
    part('harbour', 'harbours', {
      grants: true,
      origin: 'seeded',
      identity: { field: 'code', form: 'text', pattern: '^[A-Z]{2}$', description: 'The code of the harbour.' },
      fields: { name },
      example: { code: 'QQ', name: 'Quay' },
      operations: { listHarbours: list('/harbours') },
      events: {},
    }),
  );
  const berth = kit.resource(
    part('berth', 'berths', {
      parent: harbour,
      parentField: 'harbour',
      identity: { field: 'number', form: 'integer', minimum: 1, maximum: 9, description: 'The number of the berth.' },
      fields: { harbour: { type: 'string' }, name },
      example: { number: 9, harbour: 'QQ', name: 'Long' },
      operations: {
        listBerths: list('/harbours/{harbourId}/berths'),
        createBerth: operation('create', 'POST', '/harbours/{harbourId}/berths', { input: body({ name }) }),
        putBerth: operation('replace', 'PUT', '/harbours/{harbourId}/berths/{berthId}', {
          input: body({ number: { type: 'integer' }, name }, ['name']),
          creates: { status: 201 },
        }),
        deleteBerth: operation('delete', 'DELETE', '/harbours/{harbourId}/berths/{berthId}'),
      },
      events: { 'berth.added': { meaning: 'A berth was added', creates: true } },
    }),
  );
  const beacon = kit.resource(
    part('beacon', 'beacons', {
      identity: { field: 'id', form: 'text', pattern: '^[a-z]{3}$', description: 'The identifier of the beacon.' },
      fields: { name, height: { type: 'integer', minimum: 1 } },
      optional: ['height'],
      example: { id: 'abc', name: 'North' },
      operations: {
        listBeacons: list('/beacons'),
        getBeacon: operation('get', 'GET', '/beacons/{beaconId}'),
        putBeacon: operation('replace', 'PUT', '/beacons/{beaconId}', {
          input: body({ id: { type: 'string' }, name, height: { type: 'integer', minimum: 1 } }, ['name']),
          creates: { status: 201 },
        }),
        deleteBeacon: operation('delete', 'DELETE', '/beacons/{beaconId}'),
      },
      events: {
        'beacon.added': { meaning: 'A beacon was added', creates: true },
        'beacon.changed': { meaning: 'A beacon was changed', changes: true },
      },
    }),
  );
  const lamp = kit.resource(
    part('lamp', 'lamps', {
      parent: beacon,
      parentField: 'beacon',
      identity: { field: 'colour', form: 'text', enum: ['red', 'green'], description: 'The colour of the lamp.' },
      fields: { beacon: { type: 'string' }, power: { type: 'integer', minimum: 1 } },
      example: { colour: 'red', beacon: 'abc', power: 5 },
      operations: {
        listLamps: list('/beacons/{beaconId}/lamps'),
        putLamp: operation('replace', 'PUT', '/beacons/{beaconId}/lamps/{lampId}', {
          input: body({ power: { type: 'integer', minimum: 1 } }, ['power']),
          status: 204,
          content: { of: 'nothing' },
          creates: { status: 201, content: { of: 'object' } },
        }),
      },
      events: {},
    }),
  );
  return kit.defineContract({
    file: import.meta.url,
    name: 'harbour',
    scopes: { [READ]: 'Read', [WRITE]: 'Write', 'events:read': 'Read events' },
    keyPresets: {},
    resources: [harbour, berth, beacon, lamp],
    presets: {
      small: {
        meaning: 'two harbours',
        counts: { harbours: 2, berths: 2, beacons: 0, lamps: 0 },
        script: 'plain',
        tickMs: 600_000,
      },
    },
  });
};
