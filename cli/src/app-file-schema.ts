// The JSON Schema of the file of `slipway apply`. Its parts are the schemas of the contract, so that the file accepts
// the same fields as the API.
import { type JsonSchema, standalone } from './api-operation.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

function propertiesOf(schemas: Schemas, name: string): Record<string, JsonSchema> {
  const { properties } = schemas[name] ?? {};
  if (properties === undefined) throw new Error(`The contract has no schema ${name} with properties.`);
  return properties as Record<string, JsonSchema>; // the properties of an object schema
}

const strict = (description: string, properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  description,
  additionalProperties: false,
  ...(required.length > 0 && { required }),
  properties,
});

const listOf = (description: string, items: JsonSchema): JsonSchema => ({ type: 'array', description, items });

/** Returns the schema of the file. `schemas` are those of the management API. */
export function appFileSchema(schemas: Schemas): JsonSchema {
  const { keyId: _, keyIds: _keyIds, ...endpoint } = propertiesOf(schemas, 'EndpointInput');
  const { state } = propertiesOf(schemas, 'EndpointChange');
  const { isEnabled } = propertiesOf(schemas, 'FaultChange');
  const fault = propertiesOf(schemas, 'FaultInput');
  const key = propertiesOf(schemas, 'KeyInput');
  const file = strict('An app of the sandbox: its data, keys, endpoints and fault rules.', {
    $schema: { type: 'string', description: 'The address of this schema, for editors.' },
    app: { ...propertiesOf(schemas, 'AppInput').name, description: 'The name of the app. --app replaces it.' },
    world: strict('The sandbox data. If a field differs, the data is replaced.', propertiesOf(schemas, 'WorldReset')),
    keys: listOf('The keys, each with a name of its own.', strict('A key.', key, ['name', 'expiresInDays'])),
    endpoints: listOf(
      'The endpoints, each with a URL of its own.',
      strict(
        'An endpoint.',
        {
          ...endpoint,
          key: { ...key.name, description: 'The name of the key through which the endpoint receives events.' },
          state: state ?? {},
        },
        ['url', 'key', 'eventTypes'],
      ),
    ),
    faults: listOf(
      'The fault rules. The effect and the operation identify a rule.',
      strict('A fault rule.', { ...fault, isEnabled: isEnabled ?? {} }, ['effect']),
    ),
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The file of slipway apply',
    ...standalone(file, schemas),
  };
}
