// The body of a creation that the documentation and the Console show. A caller can send it to new sandbox data.
import {
  type AnyResource,
  canCreate,
  createSeededRandom,
  drawValue,
  exampleOf,
  fits,
  identifierSpaceOf,
  type OperationDeclaration,
  objectInBody,
  objectSchemaOf,
  withValue,
} from '../../access/contracts/index.ts';
import { idFieldOf, idOfKey, keyOfId, newKey } from '../objects/index.ts';
import { derivedUuid } from '../synthetic.ts';
import { parentFieldOf } from './write-operation.ts';

type Schema = Readonly<Record<string, unknown>>;

const ID_MS = Date.UTC(2026, 0, 1);
/** Higher than the number of objects of any preset, so that no object of new sandbox data has the number. */
const FIRST_NUMBER = 100_001;
const MAX_TRIED = 50;

/**
 * Returns an example of the body; undefined if the operation has none. The schema's example of an identifier is often the
 * identifier of a sample, so a creation with it would be refused. Such a body has no identifier if it is optional, and
 * otherwise one that no sample has.
 */
export function exampleBody(resource: AnyResource, declared: OperationDeclaration): unknown {
  const { input } = declared;
  const whole: unknown = input && exampleOf({ ...input.schema });
  const schema = objectSchemaOf(declared);
  if (!input || !schema || !canCreate(declared)) return whole;
  if (input.in === undefined) return exampleObject(resource, declared, { ...schema }, whole);
  const object = exampleObject(resource, declared, { ...schema }, objectInBody(declared, whole));
  const body = withValue(whole, input.in, object);
  return fits(input.schema, body) ? body : whole;
}

/** Returns the object of a body, of which `given` is an example. */
function exampleObject(resource: AnyResource, declared: OperationDeclaration, schema: Schema, given: unknown): unknown {
  const idField = idFieldOf(resource);
  const body = withParent(resource, declared, given);
  if (typeof body !== 'object' || body === null) return fits(schema, {}) ? {} : body;
  if (idField === undefined || !Object.hasOwn(body, idField)) return body;
  const { [idField]: id, ...others }: Schema = { ...body };
  // The path of a replacement has the identifier.
  if (declared.creates && fits(schema, others)) return others;
  const taken = takenKeys(resource, idField);
  if (!taken.has(keyOfId(resource, id))) return body;
  if (fits(schema, others)) return others;
  const unused = candidates(resource, schema, idField)
    .filter((one) => !taken.has(keyOfId(resource, one)))
    .map((one) => ({ ...body, [idField]: one }));
  return unused.find((one) => fits(schema, one)) ?? body;
}

/** Returns the field of a body with the identifier of the parent, if the path does not name the parent. */
function parentInBody(resource: AnyResource, { path }: OperationDeclaration): string | undefined {
  const { parent } = resource;
  return parent && !path.includes(`{${parent.idName}}`) ? parentFieldOf(resource) : undefined;
}

/** Returns the identifier of an object in new sandbox data; undefined if the identifiers differ from app to app. */
function knownId(resource: AnyResource): unknown {
  const { samples: [sample] = [], identity } = resource;
  const idField = idFieldOf(resource);
  if (sample && idField !== undefined && Object.hasOwn(sample, idField)) return Reflect.get(sample, idField);
  if (identity?.form !== 'integer') return undefined;
  return Number(newKey(resource, derivedUuid(`${resource.kind}/first`, ID_MS), 1));
}

/**
 * Returns the body with the identifier of an existing parent. Without a known identifier, removes the field of the parent
 * if the field is optional.
 */
function withParent(resource: AnyResource, declared: OperationDeclaration, body: unknown): unknown {
  const field = parentInBody(resource, declared);
  if (field === undefined || !resource.parent || typeof body !== 'object' || body === null) return body;
  const schema = { ...objectSchemaOf(declared) };
  const { [field]: _, ...others }: Schema = { ...body };
  const named = { ...body, [field]: knownId(resource.parent) };
  const usable = named[field] === undefined ? others : named;
  return fits(schema, usable) ? usable : body;
}

/** Returns whether new sandbox data has the parent that the shown body of a creation names. */
export function hasKnownParent(resource: AnyResource, declared: OperationDeclaration): boolean {
  const field = parentInBody(resource, declared);
  if (field === undefined || !resource.parent) return true;
  const named: unknown = objectInBody(declared, exampleBody(resource, declared))[field];
  return named !== undefined && named === knownId(resource.parent);
}

const takenKeys = (resource: AnyResource, idField = ''): Set<string> =>
  new Set((resource.samples ?? []).map((one) => keyOfId(resource, Reflect.get(one, idField))));

/** Returns an identifier as the server makes it, which new sandbox data does not use. */
function unusedKeyAt(resource: AnyResource, index: number): string {
  const { size } = identifierSpaceOf(resource.identity) ?? {};
  // Sandbox data begins at the start of a space.
  const number = size === undefined ? FIRST_NUMBER + index : Math.max(1, size - index);
  return newKey(resource, derivedUuid(`${resource.kind}/example/${index}`, ID_MS), number);
}

/** Returns the identifier that the path of a shown creation by PUT has. */
export function exampleKey(resource: AnyResource): string {
  const taken = takenKeys(resource, idFieldOf(resource));
  const keys = Array.from({ length: MAX_TRIED }, (_, index) => unusedKeyAt(resource, index));
  return keys.find((key) => !taken.has(key)) ?? '';
}

/** Returns identifiers as the server makes them, and values of the schema that differ from its examples. */
function candidates(resource: AnyResource, { properties }: Schema, idField: string): unknown[] {
  const schema: unknown = Reflect.get(Object(properties), idField);
  const { examples: _, default: _preset, ...form }: Schema = { ...Object(schema) };
  return Array.from({ length: MAX_TRIED }, (_value, index) => {
    const origin = `${resource.kind}/example/${index}`;
    return [idOfKey(resource, unusedKeyAt(resource, index)), drawValue(form, createSeededRandom(origin))];
  }).flat();
}
