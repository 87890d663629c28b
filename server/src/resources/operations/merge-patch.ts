// Merge patches (RFC 7396): a body that names the members to change, in which null removes a member.
import {
  type AnyResource,
  acceptsAnyValue,
  fits,
  type OperationDeclaration,
  objectSchemaOf,
  withField,
} from '../../access/contracts/index.ts';
import { nullable, type TSchema } from '../../kit/http/schema.ts';
import type { Fields } from '../objects/index.ts';
import { isObject } from './json-object.ts';

export const isMergePatch = ({ effect, input }: OperationDeclaration): boolean =>
  effect === 'update' && input?.type === 'application/merge-patch+json';

/**
 * Returns the schema of a merge patch about a value. A member can also be null if the value can lack it. The server would
 * refuse the removal of another member after the patch.
 */
function patchSchema(schema: TSchema, target: unknown): TSchema {
  const { properties, additionalProperties }: { properties?: unknown; additionalProperties?: unknown } = schema;
  const required: unknown = Reflect.get(Object(target), 'required');
  const inPatch = (member: unknown, name?: string): TSchema => {
    const own = memberOf(target, name);
    const inner = patchSchema(Object(member), own);
    const isRemovable = own !== undefined && !(Array.isArray(required) && required.includes(name));
    return isRemovable && !fits(inner, null) ? nullable(inner) : inner;
  };
  return {
    ...schema,
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, inPatch(member, name)])),
    }),
    ...(isObject(additionalProperties) && { additionalProperties: inPatch(additionalProperties) }),
  };
}

/** Returns the schema of the body of a merge patch about an object of the resource. */
export function mergePatchSchema({ schema: target }: AnyResource, declared: OperationDeclaration): TSchema | undefined {
  const { input } = declared;
  const own = objectSchemaOf(declared);
  if (!input || !own) return input?.schema;
  const changed = patchSchema(own, target);
  return input.in === undefined ? changed : withField(input.schema, input.in, changed, false);
}

/** Returns the schema of a member of an object: that of its property, otherwise that of further members. */
function memberOf(schema: unknown, name: string | undefined): TSchema | undefined {
  const { properties, additionalProperties }: { properties?: unknown; additionalProperties?: unknown } = Object(schema);
  const member: unknown =
    name !== undefined && isObject(properties) && Object.hasOwn(properties, name)
      ? properties[name]
      : additionalProperties;
  return isObject(member) ? member : undefined;
}

const nullables = new WeakMap<TSchema, boolean>();

/** Returns whether a schema accepts null. A body can have thousands of members with one schema, so the result is kept. */
function acceptsNull(schema: TSchema): boolean {
  const isNullable = nullables.get(schema) ?? fits(schema, null);
  nullables.set(schema, isNullable);
  return isNullable;
}

/**
 * Returns a value of an object after a merge patch. Null removes a member, unless the schema of the member declares null: a
 * schema that accepts any value does not. Arrays are replaced.
 */
export function applyPatch(schema: unknown, before: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const known: Fields = isObject(before) ? before : {};
  const members = new Map(Object.entries(known));
  for (const [name, value] of Object.entries(patch)) {
    const member = memberOf(schema, name);
    const isRemoved = value === null && (!member || acceptsAnyValue(Object(member)) || !acceptsNull(member));
    if (isRemoved) members.delete(name);
    else members.set(name, applyPatch(member, members.get(name), value));
  }
  return Object.fromEntries(members);
}

/**
 * Returns the value of a field after a merge patch. An object that fits its schema alone replaces the previous one if they do
 * not fit together: a card replaces the account of a payment, whose members no card has.
 */
export function patchField(schema: TSchema | undefined, before: unknown, patch: unknown): unknown {
  const merged = applyPatch(schema, before, patch);
  if (schema === undefined || !isObject(patch) || fits(schema, merged)) return merged;
  const alone = applyPatch(schema, undefined, patch);
  return fits(schema, alone) ? alone : merged;
}

/** Returns a value without the null members of its objects whose schemas refuse null. */
export function withoutRefusedNulls(schema: unknown, value: unknown): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const member = memberOf(schema, name);
    return inner === null && member && !acceptsNull(member) ? [] : [[name, withoutRefusedNulls(member, inner)]];
  });
  return Object.fromEntries(kept);
}
