// A contract for tests of rules about several fields of an object.
const text = { type: 'string', minLength: 1, maxLength: 60 };
const status = { type: 'string', enum: ['open', 'delivered'] };
const object = (properties, required) => ({ type: 'object', additionalProperties: false, required, properties });
/** Returns a condition. An object literal with `then` would look like a promise. */
const when = (condition, branch) =>
  Object.fromEntries([
    ['if', condition],
    ['then', branch],
  ]);

export default (kit) => {
  const one = (effect, method, path, more = {}) => ({
    effect,
    method,
    path,
    summary: `${method} ${path}`,
    scopes: [method === 'GET' ? 'parcels:read' : 'parcels:write'],
    status: 200,
    content: { of: 'object' },
    ...more,
  });
  const Parcel = kit.resource({
    file: import.meta.url,
    name: 'Parcel',
    kind: 'parcel',
    plural: 'parcels',
    noun: 'parcel',
    description: 'A parcel.',
    path: 'parcels',
    tag: 'Parcels',
    idPrefix: 'prc',
    scope: 'parcels:read',
    origin: 'made',
    stateField: 'status',
    fields: {
      to: { type: 'string', enum: ['door', 'shop'] },
      street: text,
      shop: text,
      note: text,
      status,
      signedBy: text,
    },
    optional: ['street', 'shop', 'note', 'signedBy'],
    rules: {
      allOf: [
        when({ properties: { status: { const: 'delivered' } } }, { required: ['signedBy'] }),
        when({ properties: { to: { const: 'door' } } }, { required: ['street'], not: { required: ['shop'] } }),
      ],
    },
    states: { open: ['delivered'], delivered: [] },
    example: { id: 'prc_01j9z3v8k6e5t8m2n4p6q8r0s4', to: 'shop', shop: 'Corner', status: 'open' },
    operations: {
      getParcel: one('get', 'GET', '/parcels/{parcelId}'),
      sendParcel: one('create', 'POST', '/parcels', {
        status: 201,
        input: { required: true, schema: object({ to: { enum: ['door', 'shop'] }, street: text, note: text }, ['to']) },
      }),
      changeParcel: one('update', 'PATCH', '/parcels/{parcelId}', {
        input: { required: true, schema: object({ status, note: text }, []) },
      }),
      deliverParcel: one('action', 'POST', '/parcels/{parcelId}/deliver', { becomes: 'delivered' }),
    },
    events: { 'parcel.sent': { meaning: 'A parcel was sent.', creates: true } },
  });
  return kit.defineContract({
    file: import.meta.url,
    name: 'post',
    version: '1.0.0',
    scopes: { 'parcels:read': 'Read parcels', 'parcels:write': 'Change parcels', 'events:read': 'Read events' },
    keyPresets: {},
    resources: [Parcel],
    presets: {
      empty: { meaning: 'nothing', counts: { parcels: 0 }, script: 'plain', tickMs: 600_000 },
      small: { meaning: 'nine parcels', counts: { parcels: 9 }, script: 'plain', tickMs: 600_000 },
    },
  });
};
