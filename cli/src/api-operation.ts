// The types of the generated table of operations, and the JSON Schema of the input of an operation.
import { API_OPERATIONS, API_SCHEMAS } from './generated/operations.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The document that describes an operation: `v1` is called with a key, `management` with an access token. */
export type ApiName = 'v1' | 'management';

export interface ApiParameter {
  /** The name of the argument. */
  name: string;
  /** The name in the request, if it differs from the name of the argument. */
  sentAs?: string;
  in: 'path' | 'query' | 'header';
  isRequired: boolean;
  description: string;
  schema: JsonSchema;
}

export interface ApiOperation {
  api: ApiName;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** The credential that the operation takes: a key, an access token, only the session of a browser, or none. */
  credential: 'key' | 'token' | 'session' | 'none';
  /** The scopes that a key needs. */
  scopes: readonly string[];
  parameters: readonly ApiParameter[];
  body: JsonSchema | null;
  isBodyRequired: boolean;
  /** True for a stream of events, which does not end by itself. */
  isStream: boolean;
  /** True if a response is text, not JSON. */
  isText: boolean;
  /** True if the response contains a key or a signing secret. */
  hasSecret: boolean;
}

/** Operations by their names, and the schemas that their inputs refer to. */
export interface OperationTable {
  operations: Readonly<Record<string, ApiOperation>>;
  schemas: Readonly<Record<ApiName, Readonly<Record<string, JsonSchema>>>>;
}

/** The operations of the management API, and those of /v1 under the default contract. */
export const DEFAULT_TABLE: OperationTable = { operations: API_OPERATIONS, schemas: API_SCHEMAS };

/** Returns the operation with this name, or undefined. */
export const findOperation = ({ operations }: OperationTable, name: string): ApiOperation | undefined =>
  Object.hasOwn(operations, name) ? operations[name] : undefined;

const REFERENCE = '#/components/schemas/';

/** Returns the schema with the schemas that it refers to below `$defs`, so that it can stand alone. */
export function standalone(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const definitions: Record<string, unknown> = {};
  const visitField = (name: string, inner: unknown): unknown => {
    if (name !== '$ref' || typeof inner !== 'string' || !inner.startsWith(REFERENCE)) return visit(inner);
    const target = inner.slice(REFERENCE.length);
    if (!(target in definitions)) {
      definitions[target] = {}; // reserved first, because a schema can contain itself
      definitions[target] = visit(schemas[target] ?? {});
    }
    return `#/$defs/${target}`;
  };
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visitField(name, inner)]));
  };
  const whole = Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, visitField(name, inner)]));
  return Object.keys(definitions).length === 0 ? whole : { ...whole, $defs: definitions };
}

export { API_OPERATIONS, API_SCHEMAS } from './generated/operations.ts';
