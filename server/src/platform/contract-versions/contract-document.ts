// The parts of an OpenAPI document that decide whether two contracts are compatible.
import { createHash } from 'node:crypto';
import {
  type AnyResource,
  type ContractDeclaration,
  type OperationDeclaration,
  withField,
} from '../../access/contracts/index.ts';
import { MAX_LIMIT } from '../../kit/http/page.ts';
import type { Contract } from '../../kit/openapi/contract-diff.ts';

type Json = Record<string, unknown>;
type Operations = Contract['paths'][string];

/** Returns the operations, events and schemas of a contract as a document for the comparison. */
export function contractDocument({ resources }: ContractDeclaration): Contract {
  const paths: Record<string, Operations> = {};
  const webhooks: NonNullable<Contract['webhooks']> = {};
  const schemas: Record<string, Json> = {};
  for (const one of resources) {
    schemas[one.name] = plain(one.schema);
    for (const [id, operation] of Object.entries(one.operations ?? {})) {
      paths[operation.path] = {
        ...paths[operation.path],
        [operation.method.toLowerCase()]: document(one, id, operation),
      };
    }
    for (const [type, versions] of Object.entries(one.data)) {
      const anyOf = versions.map(({ schema }, index) => {
        const name = `${type} version ${index + 1}`;
        schemas[name] = plain(schema);
        return refTo(name);
      });
      webhooks[type] = { post: { operationId: type, requestBody: json({ anyOf }), responses: {} } };
    }
  }
  return { paths, webhooks, components: { schemas } };
}

function document(one: AnyResource, id: string, operation: OperationDeclaration): Operations[string] {
  const query = Object.entries(operation.query ?? {}).map(([name, { schema, required = false }]) => ({
    name,
    in: 'query',
    required,
    schema: plain(schema),
  }));
  const { input, status } = operation;
  return {
    operationId: id,
    security: [{ key: [...operation.scopes] }],
    parameters: [
      ...query,
      ...pagingOf(operation),
      { name: one.idName, in: 'path', required: true, schema: plain(one.id) },
    ],
    ...(input && { requestBody: { required: input.required ?? false, ...json(plain(input.schema)) } }),
    responses: { [status]: contentOf(one, operation) },
  };
}

function pagingOf({ content }: OperationDeclaration): { name: string; in: string; schema: Json }[] {
  if (content.of !== 'list' || content.paging.by === 'none') return [];
  const { by, parameter, limit, maxLimit = MAX_LIMIT, defaultLimit } = content.paging;
  const position = { name: parameter, in: 'query', schema: { type: by === 'cursor' ? 'string' : 'integer' } };
  if (limit === undefined) return [position];
  // A contract without a maximum equals one with the maximum of the platform.
  const schema = {
    type: 'integer',
    ...(maxLimit < MAX_LIMIT && { maximum: maxLimit }),
    ...(defaultLimit !== undefined && { default: defaultLimit }),
  };
  return [position, { name: limit, in: 'query', schema }];
}

function contentOf(
  { name }: AnyResource,
  { content }: OperationDeclaration,
): { content?: Record<string, { schema: unknown }> } {
  if (content.of === 'nothing') return {};
  if (content.of === 'file')
    return { content: Object.fromEntries(content.types.map((type) => [type, { schema: { type: 'string' } }])) };
  if (content.of === 'value') return json(plain(content.schema), content.type);
  const inner = content.of === 'list' ? { type: 'array', items: refTo(name) } : refTo(name);
  if (content.in === undefined) return json(inner, content.type);
  return json(plain(withField(content.around?.schema ?? {}, content.in, inner, true)), content.type);
}

const json = (schema: Json, type = 'application/json'): { content: Record<string, { schema: unknown }> } => ({
  content: { [type]: { schema } },
});
const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Returns a schema as JSON. The comparison reads no `allOf`, so a rule of it counts as a type of its own. */
function plain(schema: object): Json {
  const copy: unknown = JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { allOf, ...rest } = Object(value);
    if (!Array.isArray(allOf)) return value;
    const hash = createHash('sha256').update(JSON.stringify(allOf)).digest('hex').slice(0, 8);
    return { ...rest, type: `${rest.type ?? 'value'} with allOf ${hash}` };
  });
  return Object(copy);
}
