// A contract for tests of the form of objects: bodies that contain an object in a field, objects inside that the sandbox
// completes, and objects with alternatives. A nursery has plants.
const READ = 'plants:read';
const WRITE = 'plants:write';
const name = { type: 'string', maxLength: 60 };
const operation = (effect, method, path, more = {}) => ({
  effect,
  method,
  path,
  summary: `${method} ${path}`,
  scopes: [method === 'GET' ? READ : WRITE],
  status: effect === 'create' ? 201 : 200,
  content: { of: 'object', in: 'plant' },
  ...more,
});
const object = (properties, required = []) => ({ type: 'object', required, properties });
const bodyIn = (field, properties, more = {}) => ({
  required: true,
  schema: object({ [field]: object(properties) }, [field]),
  in: field,
  ...more,
});
const pot = { width: { type: 'integer', minimum: 1 }, colour: { type: 'string', enum: ['red', 'grey'] } };
const label = { text: name };
const kind = { type: 'string', enum: ['tree', 'herb'] };
const planted = {
  kind,
  name,
  pot: object(pot),
  labels: { type: 'array', items: object(label, ['text']) },
};

export default (kit) => {
  const plant = kit.resource({
    file: import.meta.url,
    scope: READ,
    origin: 'made',
    tag: 'Plants',
    name: 'Plant',
    kind: 'plant',
    plural: 'plants',
    noun: 'plant',
    description: 'A plant.',
    path: 'plants',
    idPrefix: 'pla',
    identity: { field: 'id', form: 'integer', description: 'The number of the plant.' },
    fields: {
      ...planted,
      pot: object({ ...pot, weight: { type: 'integer', minimum: 1 } }, ['width', 'weight']),
      labels: {
        type: 'array',
        items: object({ ...label, code: { type: 'string', pattern: '^[A-Z]{6}$' } }, ['text', 'code']),
      },
      height: { type: 'integer', minimum: 1 },
      scent: { type: 'string', enum: ['mild', 'strong'] },
    },
    optional: ['pot', 'labels', 'height', 'scent'],
    alternatives: [
      { fields: { kind: { const: 'tree' }, height: { type: 'integer', minimum: 1 } }, required: ['kind', 'height'] },
      {
        fields: { kind: { const: 'herb' }, scent: { type: 'string', enum: ['mild', 'strong'] } },
        required: ['kind', 'scent'],
      },
    ],
    example: { id: 1, kind: 'tree', name: 'Pear', height: 3 },
    operations: {
      createPlant: operation('create', 'POST', '/plants', { input: bodyIn('plant', planted) }),
      listPlants: operation('list', 'GET', '/plants', {
        content: { of: 'list', in: 'plants', paging: { by: 'none' } },
      }),
      getPlant: operation('get', 'GET', '/beds/{bed}/plants/{plantId}', { params: { bed: { schema: name } } }),
      replacePlant: operation('replace', 'PUT', '/plants/{plantId}', { input: bodyIn('plant', planted) }),
      updatePlant: operation('update', 'PATCH', '/plants/{plantId}', { input: bodyIn('plant', planted) }),
      mergePlant: operation('update', 'PATCH', '/merged/{plantId}', {
        input: bodyIn('data', { ...planted, id: { type: 'integer' } }, { type: 'application/vnd.api+json' }),
      }),
      getAbout: operation('action', 'GET', '/about', {
        content: { of: 'value', schema: object({ version: { const: 1 } }, ['version']) },
      }),
    },
    events: {},
  });
  return kit.defineContract({
    file: import.meta.url,
    name: 'nursery',
    scopes: { [READ]: 'Read', [WRITE]: 'Write', 'events:read': 'Read events' },
    keyPresets: {},
    resources: [plant],
    presets: { small: { meaning: 'some plants', counts: { plants: 12 }, script: 'plain', tickMs: 600_000 } },
  });
};
