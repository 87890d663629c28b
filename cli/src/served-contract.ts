// The names that a contract declares: scopes, event types and operations. The schemas of the CLI list those of the default
// contract; a server with a contract of an operator has others.
import type { ManagementClient } from '@slipway/sdk/management';
import { API_SCHEMAS, type JsonSchema } from './api-operation.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

interface ServedContract {
  scopes: string[];
  eventTypes: string[];
  operationIds: string[];
}

/** The parts of the document of /v1 that hold the names. */
interface ContractDocument {
  paths?: Record<string, Record<string, { operationId?: string; security?: readonly object[] }>>;
  webhooks?: Record<string, unknown>;
  components?: { securitySchemes?: { key?: { 'x-scopes'?: Record<string, string> } } };
}

/** Returns the names of the contract that the server serves. */
export async function readServedContract(api: ManagementClient, organisationId: string): Promise<ServedContract> {
  const document = (await api.getContract({ organisationId })) as ContractDocument; // an OpenAPI document
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));
  return {
    scopes: Object.keys(document.components?.securitySchemes?.key?.['x-scopes'] ?? {}),
    eventTypes: Object.keys(document.webhooks ?? {}),
    operationIds: operations.flatMap(({ operationId }) => operationId ?? []),
  };
}

const enumAt = (schemas: Schemas, ...path: readonly string[]): string =>
  JSON.stringify(path.reduce<unknown>((inner, name) => Object(inner)[name], schemas));

/**
 * Returns the schemas of the management API with the names of another contract. Presets are left open, because no document
 * lists them: the API checks them.
 */
export function schemasUnder({ scopes, eventTypes, operationIds }: ServedContract): Schemas {
  const schemas: Schemas = API_SCHEMAS.management;
  const served = new Map<string, readonly string[] | undefined>([
    [enumAt(schemas, 'KeyInput', 'properties', 'scopes', 'items', 'enum'), scopes],
    [enumAt(schemas, 'KeyInput', 'properties', 'preset', 'enum'), undefined],
    [enumAt(schemas, 'WorldReset', 'properties', 'preset', 'enum'), undefined],
    [enumAt(schemas, 'EndpointInput', 'properties', 'eventTypes', 'items', 'enum'), ['*', ...eventTypes]],
    [enumAt(schemas, 'FaultInput', 'properties', 'operationId', 'oneOf', '0', 'enum'), operationIds],
  ]);
  const text = JSON.stringify(schemas, (name, value: unknown) => {
    const key = name === 'enum' ? JSON.stringify(value) : '';
    return served.has(key) ? served.get(key) : value; // a field with the value undefined is left out
  });
  return JSON.parse(text) as Schemas; // with other values of enums only
}
