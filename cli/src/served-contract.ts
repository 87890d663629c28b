// The contract that a server serves. The tables of the CLI have the operations and names of the default contract; a server
// with a contract of an operator has others.
import type { ManagementClient } from '@slipway/sdk/management';
import { API_OPERATIONS, API_SCHEMAS, type JsonSchema, type OperationTable } from './api-operation.ts';
import { type ApiDocument, operationsIn, schemasOf } from './document-operations.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Returns the document of /v1, which the Console serves to members. */
export const readContract = async (api: ManagementClient, organisationId: string): Promise<ApiDocument> =>
  toDocument(await api.getContract({ organisationId }));

/** Returns the value as a document. Throws if the server answered with another value. */
export function toDocument(value: unknown): ApiDocument {
  const { paths, components } = Object(value);
  if (typeof paths !== 'object' || typeof components !== 'object') throw new Error('the answer is no OpenAPI document');
  return value as ApiDocument; // an OpenAPI document of Slipway
}

const enumAt = (...path: readonly string[]): string =>
  JSON.stringify(path.reduce<unknown>((inner, name) => Object(inner)[name], API_SCHEMAS.management));

/**
 * Returns a part of the table of the management API with the names of a served contract. Presets of keys are left open,
 * because no document lists them: the API checks them.
 */
function withNames<T>(part: T, { paths, webhooks = {}, components }: ApiDocument): T {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const eventTypes = Object.keys(webhooks);
  const served = new Map<string, readonly string[] | undefined>([
    [
      enumAt('KeyInput', 'properties', 'scopes', 'items', 'enum'),
      Object.keys(components.securitySchemes?.key?.['x-scopes'] ?? {}),
    ],
    [enumAt('KeyInput', 'properties', 'preset', 'enum'), undefined],
    [enumAt('EndpointInput', 'properties', 'eventTypes', 'items', 'enum'), ['*', ...eventTypes]],
    [enumAt('EventTrigger', 'properties', 'type', 'enum'), eventTypes],
    [
      enumAt('FaultInput', 'properties', 'operationId', 'oneOf', '0', 'enum'),
      operations.filter(({ security = [] }) => security.length > 0).map(({ operationId }) => operationId),
    ],
  ]);
  const text = JSON.stringify(part, (name, value: unknown) => {
    const key = name === 'enum' ? JSON.stringify(value) : '';
    return served.has(key) ? served.get(key) : value; // a field with the value undefined is left out
  });
  return JSON.parse(text) as T; // with other values of enums only
}

/** Returns the schemas of the management API with the names of a served contract. */
export const schemasUnder = (document: ApiDocument): Schemas => withNames(API_SCHEMAS.management, document);

const managementOperations = Object.fromEntries(
  Object.entries(API_OPERATIONS).filter(([, { api }]) => api === 'management'),
);

/** The tool of `slipway mcp` that sends a prepared change. No operation has its name. */
export const CONFIRM = 'confirmChange';

/**
 * Returns the operations of the management API and of a served document of /v1. An operation of /v1 whose id the
 * management API uses is called `v1_ID`.
 */
export function tableUnder(document: ApiDocument): OperationTable {
  const operations = new Map(Object.entries(withNames(managementOperations, document)));
  const served = operationsIn(document, 'v1');
  for (const [id, operation] of served) {
    let name = id;
    while (operations.has(name) || name === CONFIRM) name = `v1_${name}`;
    operations.set(name, operation);
  }
  const own = served.map(([, operation]) => operation);
  return {
    operations: Object.fromEntries(operations),
    schemas: { v1: Object.fromEntries(schemasOf(document, own)), management: schemasUnder(document) },
  };
}
