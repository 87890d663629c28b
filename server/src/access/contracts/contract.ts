// The declaration of an API contract: its scopes, its resources with fields, states and events, and the presets of its
// sandbox data. The rest of the server reads the declaration (installed.ts) and names no resource, scope or event.
//
//   const posts = resource({ file: import.meta.url, name: 'Post', kind: 'post', …, events: { 'post.hidden': { meaning: '…' } } });
//   export const forum = defineContract({ file: import.meta.url, name: 'forum', scopes: { … }, resources: [posts], … });
import {
  type IdSchema,
  idSchema,
  namedObject,
  namedSchema,
  type Static,
  type TSchema,
  Type,
} from '../../kit/http/schema.ts';
import { contractErrors } from './contract-errors.ts';
import type {
  AnyResource,
  ContractDeclaration,
  DataVersion,
  EventDeclaration,
  ResourceDeclaration,
} from './declaration.ts';
import { identitySchema } from './identity-schema.ts';

type IdsFrom<R> = R extends { name: infer Name extends string; idPrefix: infer Prefix extends string }
  ? { [K in `${Uncapitalize<Name>}Id`]: IdSchema<Prefix> } & IdsOfParents<R>
  : unknown;
type IdsOfParents<R> = R extends { parent: infer Parent } ? IdsFrom<Parent> : unknown;
type Properties<D extends ResourceDeclaration> = D extends { identity: object }
  ? Record<string, TSchema>
  : { id: IdSchema<D['idPrefix']> } & IdsOfParents<D> & D['fields'];
type Flat<T> = { -readonly [K in keyof T]: T[K] extends TSchema ? T[K] : never };
type SchemaOf<D extends ResourceDeclaration> = ReturnType<typeof namedObject<Flat<Properties<D>>>>;

type Resource<D extends ResourceDeclaration> = Omit<D, 'example'> & {
  idName: string;
  data: AnyResource['data'];
  id: IdSchema<D['idPrefix']>;
  schema: SchemaOf<D>;
  example: Static<SchemaOf<D>>;
};

/**
 * Declares a resource. Its schema begins with `id` and the identifiers of its parents, nearest first. With an own
 * `identity`, the schema begins with the declared field of the identifier.
 */
export function resource<const D extends ResourceDeclaration>(declaration: D): Resource<D> {
  const { name, noun, idPrefix, identity, fields, events } = declaration;
  const id = identity ? identitySchema(identity) : idSchema(idPrefix, `The identifier of the ${noun}.`);
  const ids = identity
    ? { ...(identity.field !== undefined && { [identity.field]: id }) }
    : { id, ...idsOfParents(declaration) };
  const idName = `${name.charAt(0).toLowerCase()}${name.slice(1)}Id`;
  const schema = objectSchema(declaration, { ...ids, ...fields });
  const asItIs = { schema, example: declaration.example, convert: (resource: object) => resource };
  const data = Object.entries(events).map(([type, { versions }]) => [
    type,
    versions ? dataVersions(versions, ids, declaration.example) : [asItIs],
  ]);
  const derived: Pick<AnyResource, 'idName' | 'id' | 'schema' | 'data'> = {
    idName,
    id,
    schema,
    data: Object.fromEntries(data),
  };
  return { ...declaration, ...derived } as unknown as Resource<D>; // it has the fields of D; defineContract checks the example
}

function objectSchema(
  { name, description, optional = [], open, rules }: ResourceDeclaration,
  fields: Record<string, TSchema>,
): TSchema {
  const properties = Object.entries(fields).map(([field, schema]) => [
    field,
    optional.includes(field) ? Type.Optional(schema) : schema,
  ]);
  const additionalProperties = open === true;
  return namedSchema(
    name,
    Type.Object(Object.fromEntries(properties), { ...rules, additionalProperties, description }),
  );
}

const idsOfParents = ({ parent }: ResourceDeclaration): Record<string, TSchema> =>
  parent ? { [parent.idName]: parent.id, ...idsOfParents(parent) } : {};

function dataVersions(
  versions: NonNullable<EventDeclaration['versions']>,
  ids: Record<string, TSchema>,
  resource: object,
): DataVersion[] {
  let example = resource;
  return versions
    .toReversed()
    .map(({ name, description, fields, convert }) => {
      const version = convert as DataVersion['convert']; // the version before it, or the resource, has its input
      example = version(example);
      return { schema: namedObject(name, description, { ...ids, ...fields }), example, convert: version };
    })
    .reverse();
}

/** Returns the data of an event of this type about a resource: in the newest schema version, and in the older ones. */
export function eventData({ data }: AnyResource, type: string, resource: object): { data: object; older: object[] } {
  const [newest, ...before] = data[type]?.toReversed() ?? [];
  if (!newest) throw new Error(`The resource has no event ${type}.`);
  const inNewest = newest.convert(resource);
  return { data: inNewest, older: olderData(before, inNewest) };
}

/** Converts data to each older version. `versions` begins with the newest of them, the result with version 1. */
export function olderData(versions: readonly DataVersion[], newest: object): object[] {
  const older: object[] = [];
  for (const { convert } of versions) older.unshift(convert(older[0] ?? newest));
  return older;
}

/** Declares a contract. Throws an error that names file and field of each mistake. */
export function defineContract<const C extends ContractDeclaration>(declaration: C): C {
  const errors = contractErrors(declaration);
  if (errors.length > 0) throw new Error(`The contract ${declaration.name} is invalid.\n${errors.join('\n')}`);
  return declaration;
}
