// Lists every addition, removal and deprecation between two contracts, for the page of API changes. `breakingChanges`
// decides separately which of them break a client.
import type { Contract } from './contract-diff.ts';
import type { OpenApiObject } from './openapi-schemas.ts';

export interface ContractChanges {
  added: string[];
  deprecated: string[];
  removed: string[];
}

/** Returns the changes as sorted texts. `after` is the newer contract. */
export function contractChanges(before: Contract, after: Contract): ContractChanges {
  const [old, current] = [describe(before), describe(after)];
  const newIn = (one: Parts, other: Parts): string[] =>
    [...one.keys()].filter((part) => !other.has(part) && isOuter(part, other));
  return {
    added: newIn(current, old).sort(),
    deprecated: [...current]
      .filter(([part, isOver]) => isOver && old.get(part) !== true)
      .map(([part]) => part)
      .sort(),
    removed: newIn(old, current).sort(),
  };
}

/** The parts of a contract by their text, with whether the contract marks the part as deprecated. */
type Parts = Map<string, boolean>;

/** Returns false for a field of a schema or a parameter of an operation that is itself new. */
const isOuter = (part: string, other: Parts): boolean => {
  const parent = part.includes(': ') ? part.slice(0, part.indexOf(': ')) : undefined;
  return parent === undefined || other.has(parent);
};

function describe({ paths, webhooks = {}, components }: Contract): Parts {
  const parts: Parts = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `Operation \`${operation.operationId}\` (\`${method.toUpperCase()} ${path}\`)`;
      parts.set(name, isDeprecated(operation));
      for (const parameter of operation.parameters ?? []) {
        parts.set(`${name}: parameter \`${parameter.name}\` of the ${parameter.in}`, isDeprecated(parameter));
      }
    }
  }
  for (const [type, { post }] of Object.entries(webhooks)) {
    parts.set(`Event \`${type}\``, isDeprecated(post));
    const versions = Reflect.get(post, 'x-event-versions');
    for (const version of Array.isArray(versions) ? versions : []) {
      parts.set(`Event \`${type}\`: schema version ${version}`, false);
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    parts.set(`Schema \`${name}\``, isDeprecated(schema));
    describeFields(schema, `Schema \`${name}\``, '', parts);
  }
  return parts;
}

/** Adds the fields and values of a schema. A referenced component is described once, under its own name. */
function describeFields(schema: unknown, owner: string, at: string, parts: Parts): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties, items, enum: values, 'x-extensible-enum': open, oneOf, anyOf } = schema as OpenApiObject;
  for (const [field, inner] of Object.entries((properties ?? {}) as OpenApiObject)) {
    const path = at === '' ? field : `${at}.${field}`;
    parts.set(`${owner}: field \`${path}\``, isDeprecated(inner));
    describeFields(inner, owner, path, parts);
  }
  const allowed = values ?? open;
  for (const value of Array.isArray(allowed) ? allowed : []) {
    parts.set(`${owner}: value \`${value}\`${at === '' ? '' : ` of \`${at}\``}`, false);
  }
  if (items !== undefined) describeFields(items, owner, at, parts);
  for (const inner of [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list : []))) {
    describeFields(inner, owner, at, parts);
  }
}

const isDeprecated = (part: unknown): boolean => Object(part).deprecated === true;
