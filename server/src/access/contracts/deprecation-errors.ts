// Mistakes in the deprecations of an operator's contract, each as a sentence that names the file and the field.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Deprecation, MIN_MIGRATION_DAYS, migrationDays } from '../../kit/http/deprecation.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import { parsePointer } from '../../kit/text/json-pointer.ts';
import type { AnyResource, ContractDeclaration, DeclaredDeprecation } from './declaration.ts';
import type { OperationDeclaration } from './operation-declaration.ts';

const ID = /^[a-z0-9-]{1,60}$/;

interface OperationPlace {
  resource: AnyResource;
  operation: OperationDeclaration;
}

/** Returns the mistakes. The operations of the contract must be declared, as those of an operator's contract are. */
export function deprecationErrors({ file, resources, deprecations = [] }: ContractDeclaration): string[] {
  const named = deprecations.map(({ id }) => id);
  return deprecations.flatMap((one, index) => {
    const details = [
      ...(ID.test(one.id) ? [] : ['id must have lower-case letters, digits and hyphens, at most 60']),
      ...(named.indexOf(one.id) === index ? [] : ['id must differ from that of every other deprecation']),
      ...(migrationDays(one) >= MIN_MIGRATION_DAYS
        ? []
        : [`ends must be a day at least ${MIN_MIGRATION_DAYS} days after \`announced\``]),
      ...partErrors(one, resources),
    ];
    return details.map((detail) => `${basename(fileURLToPath(file))}: deprecations.${index}.${detail}.`);
  });
}

function partErrors({ where, operations }: DeclaredDeprecation, resources: readonly AnyResource[]): string[] {
  if (where.in === 'events') {
    if (operations.length > 0) return ['operations must be empty, because every read of events has the part'];
    const versions = resources.find(({ events }) => Object.hasOwn(events, where.type))?.data[where.type];
    if (!versions) return [`where.type is ${where.type}, which is no event of the contract`];
    const { schemaVersion = 1 } = where;
    return versions[schemaVersion - 1]
      ? []
      : [`where.schemaVersion is ${schemaVersion}, which the event does not have`];
  }
  if (operations.length === 0) return ['operations must name at least one operation'];
  return operations.flatMap((id) => {
    const found = findOperation(resources, id);
    if (!found) return [`operations names ${id}, which is no operation of the contract`];
    return hasPart(where, found) ? [] : [`where names nothing in the ${where.in} of ${id}`];
  });
}

function findOperation(resources: readonly AnyResource[], id: string): OperationPlace | undefined {
  for (const resource of resources) {
    const operation = Object.hasOwn(resource.operations ?? {}, id) ? resource.operations?.[id] : undefined;
    if (operation) return { resource, operation };
  }
  return undefined;
}

function hasPart(where: Deprecation['where'], { resource, operation }: OperationPlace): boolean {
  if (where.in === 'query') return Object.hasOwn(operation.query ?? {}, where.name);
  if (where.in === 'body') return hasField(operation.input?.schema, where.pointer);
  if (where.in !== 'response') return true;
  const { content } = operation;
  if (content.of === 'value') return hasField(content.schema, where.pointer);
  return (content.of === 'object' || content.of === 'list') && hasField(resource.schema, where.pointer);
}

/** Returns false if a schema that lists its fields lacks one of the pointer. */
function hasField(schema: TSchema | undefined, pointer: string): boolean {
  let inner: unknown = schema;
  const names = parsePointer(pointer);
  if (inner === undefined || names.length === 0) return false;
  for (const name of names) {
    const properties: unknown = Reflect.get(Object(inner), 'properties');
    if (properties === undefined) return true;
    if (!Object.hasOwn(Object(properties), name)) return false;
    inner = Reflect.get(Object(properties), name);
  }
  return true;
}
