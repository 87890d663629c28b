// The types of a declaration, checked at run time, because a module in JavaScript can contain any value.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneOf, schemaErrors, strictObject, type TSchema, Type } from '../../kit/http/schema.ts';
import { parsePointer } from '../../kit/text/json-pointer.ts';
import type { ContractDeclaration, DeclaredDeprecation, ResourceDeclaration } from './declaration.ts';

const MAX_TEXT = 5_000;
/** The most entries of each list and each map, such as the resources of a contract. */
export const MAX_ENTRIES = 1_000;
const MAX_IDENTIFIERS = 20_000;

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const textOf = () => Type.String({ maxLength: MAX_TEXT });
const listOf = <T extends TSchema>(schema: T) => Type.Array(schema, { maxItems: MAX_ENTRIES });
const byName = (schema: TSchema) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: schema, maxProperties: MAX_ENTRIES });
/** A part that another check reads, or a function. */
const any = () => Type.Unsafe<unknown>({});
const isTrue = () => Type.Literal(true);
const jsonSchema = () => Type.Unsafe<object>({ type: 'object' });

/** Another check reads the numbers of a page, because its sentence is clearer than that of an alternative of `oneOf`. */
const pageSize = () => ({ limit: optional(textOf()), maxLimit: optional(any()), defaultLimit: optional(any()) });

const Paging = Type.Unsafe<object>({
  oneOf: [
    strictObject({ by: Type.Literal('none') }),
    strictObject({
      by: Type.Literal('cursor'),
      parameter: textOf(),
      next: optional(textOf()),
      ...pageSize(),
    }),
    strictObject({ by: oneOf(['page', 'offset'], ''), parameter: textOf(), ...pageSize() }),
  ],
});

const Envelope = strictObject({ schema: jsonSchema(), values: optional(byName(textOf())) });

const typed = () => ({ type: optional(textOf()) });

const Content = Type.Unsafe<object>({
  oneOf: [
    strictObject({ of: Type.Literal('nothing') }),
    strictObject({ of: Type.Literal('object'), ...typed(), in: optional(textOf()), around: optional(Envelope) }),
    strictObject({
      of: Type.Literal('list'),
      ...typed(),
      in: optional(textOf()),
      paging: Paging,
      around: optional(Envelope),
    }),
    strictObject({ of: Type.Literal('value'), ...typed(), schema: jsonSchema() }),
    strictObject({ of: Type.Literal('file'), types: listOf(textOf()), maxBytes: Type.Integer() }),
  ],
});

const Operation = strictObject({
  effect: oneOf(['list', 'get', 'create', 'update', 'replace', 'delete', 'action'], ''),
  method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], ''),
  path: textOf(),
  params: optional(byName(strictObject({ schema: jsonSchema(), of: optional(textOf()) }))),
  summary: textOf(),
  description: optional(textOf()),
  deprecated: optional(isTrue()),
  scopes: listOf(textOf()),
  query: optional(byName(strictObject({ schema: jsonSchema(), required: optional(isTrue()) }))),
  input: optional(
    strictObject({
      schema: jsonSchema(),
      required: optional(isTrue()),
      type: optional(textOf()),
      in: optional(textOf()),
    }),
  ),
  status: Type.Integer(),
  content: Content,
  creates: optional(strictObject({ status: Type.Integer(), content: optional(Content) })),
  becomes: optional(textOf()),
});

const Identity = strictObject({
  field: optional(textOf()),
  form: oneOf(['prefixed', 'uuid', 'integer', 'text'], ''),
  prefix: optional(textOf()),
  pattern: optional(textOf()),
  minLength: optional(Type.Integer({ minimum: 1 })),
  maxLength: optional(Type.Integer({ minimum: 1 })),
  minimum: optional(Type.Integer({ minimum: 0 })),
  maximum: optional(Type.Integer({ minimum: 0 })),
  multipleOf: optional(Type.Integer({ minimum: 1 })),
  enum: optional(Type.Array(any(), { minItems: 1, maxItems: MAX_IDENTIFIERS })),
  description: textOf(),
  examples: optional(listOf(any())),
});

const Event = strictObject({
  meaning: textOf(),
  versions: optional(listOf(jsonSchema())),
  creates: optional(isTrue()),
  changes: optional(isTrue()),
  deletes: optional(isTrue()),
  entering: optional(textOf()),
  refusal: optional(strictObject({ named: textOf(), any: textOf() })),
});

const Sandbox = strictObject({
  segment: textOf(),
  halfTimeCount: Type.Integer({ minimum: 1 }),
  count: optional(Type.Integer({ minimum: 0 })),
  synthesise: any(),
});

const ResourceShape = strictObject({
  file: Type.String({ pattern: '^file:///', examples: ['file:///contracts/orders.mjs'] }),
  name: textOf(),
  kind: textOf(),
  plural: textOf(),
  noun: textOf(),
  description: textOf(),
  path: textOf(),
  tag: textOf(),
  idPrefix: textOf(),
  parent: optional(any()),
  grants: optional(isTrue()),
  scope: textOf(),
  origin: oneOf(['seeded', 'made'], ''),
  fields: byName(jsonSchema()),
  optional: optional(listOf(textOf())),
  open: optional(isTrue()),
  rules: optional(jsonSchema()),
  alternatives: optional(listOf(strictObject({ fields: byName(jsonSchema()), required: optional(listOf(textOf())) }))),
  identity: optional(Identity),
  parentField: optional(textOf()),
  selfField: optional(textOf()),
  stateField: optional(textOf()),
  hidden: optional(byName(jsonSchema())),
  defaults: optional(jsonSchema()),
  states: optional(byName(listOf(textOf()))),
  present: optional(any()),
  example: jsonSchema(),
  list: optional(any()),
  get: optional(any()),
  operations: optional(byName(Operation)),
  samples: optional(listOf(jsonSchema())),
  events: byName(Event),
  onCreate: optional(any()),
  onDue: optional(any()),
  sandbox: optional(Sandbox),
} satisfies Record<keyof ResourceDeclaration, TSchema>);

const day = () => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2027-05-31'] });

const DeprecationShape = strictObject({
  id: textOf(),
  title: Type.String({ minLength: 1, maxLength: MAX_TEXT }),
  replacement: Type.String({ minLength: 1, maxLength: MAX_TEXT }),
  announced: day(),
  ends: day(),
  operations: listOf(textOf()),
  where: Type.Unsafe<object>({
    oneOf: [
      strictObject({ in: Type.Literal('operation') }),
      strictObject({ in: Type.Literal('query'), name: textOf() }),
      strictObject({ in: oneOf(['body', 'response'], ''), pointer: textOf() }),
      strictObject({
        in: Type.Literal('events'),
        type: textOf(),
        schemaVersion: optional(Type.Integer({ minimum: 1 })),
      }),
    ],
  }),
} satisfies Record<keyof DeclaredDeprecation, TSchema>);

const ContractShape = strictObject({
  file: Type.String({ pattern: '^file:///', examples: ['file:///contracts/orders.mjs'] }),
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,59}$', examples: ['web-shop'] }),
  version: optional(textOf()),
  scopes: byName(textOf()),
  keyPresets: byName(listOf(textOf())),
  resources: Type.Array(any(), { minItems: 1, maxItems: MAX_ENTRIES }),
  presets: byName(
    strictObject({
      meaning: textOf(),
      counts: byName(Type.Number()),
      script: oneOf(['plain', 'unicode'], ''),
      tickMs: Type.Integer({ minimum: 1_000 }),
    }),
  ),
  deprecations: optional(listOf(DeprecationShape)),
} satisfies Record<keyof ContractDeclaration, TSchema>);

export const resourceShapeErrors = (declaration: unknown): string[] => shapeErrors(ResourceShape, declaration);
export const contractShapeErrors = (declaration: unknown): string[] => shapeErrors(ContractShape, declaration);

function shapeErrors(shape: TSchema, declaration: unknown): string[] {
  const { file, name }: { file?: unknown; name?: unknown } = Object(declaration);
  const where = [fileOf(file), typeof name === 'string' && shape === ResourceShape ? `${name.slice(0, 60)}.` : ''].join(
    '',
  );
  return schemaErrors(shape, declaration).map(({ pointer, detail }) => {
    const field = parsePointer(pointer).join('.') || 'the declaration';
    return `${where}${field} ${detail}.`;
  });
}

function fileOf(file: unknown): string {
  return typeof file === 'string' && file.startsWith('file:///') ? `${basename(fileURLToPath(file))}: ` : '';
}
