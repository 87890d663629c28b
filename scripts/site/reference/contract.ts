// The parts of an OpenAPI document that the reference reads, and the resolution of its references.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

export interface Example {
  $ref?: string;
  summary?: string;
  value?: unknown;
  'x-headers'?: Record<string, string>;
}

export interface Media {
  schema?: Schema;
  examples?: Record<string, Example>;
}

export interface Reply {
  $ref?: string;
  description: string;
  content?: Record<string, Media>;
}

export interface DocumentedOperation {
  operationId: string;
  tags?: readonly string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, Media> };
  responses: Record<string, Reply>;
  'x-environments'?: readonly string[];
  'x-event-versions'?: readonly number[];
}

/**
 * A problem of `x-problems`. The contract of /v1 calls the fix `mend`, as released; that of the management API `fix`.
 */
export interface Problem {
  meaning: string;
  cause: string;
  fix?: string;
  mend?: string;
  servedBy: string;
  example: { title: string; status: number; code: string };
}

export interface Contract {
  info: { title: string; description: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string; description?: string }[];
  paths: Record<string, Record<string, unknown>>;
  webhooks?: Record<string, { post: DocumentedOperation }>;
  components: {
    schemas: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    responses?: Record<string, Reply>;
    examples?: Record<string, Example>;
  };
  'x-problems': Record<string, Problem>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export interface DeclaredOperation {
  method: string;
  path: string;
  operation: DocumentedOperation;
}

/** Returns the operations with their shared responses inlined. */
export const operationsOf = ({ paths, components }: Contract): DeclaredOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const operation = item[method] as DocumentedOperation; // the operations of Slipway's own document
      const responses = Object.entries(operation.responses).map(([status, reply]) => {
        const found = reply.$ref === undefined ? reply : components.responses?.[nameOfRef(reply.$ref)];
        if (!found) throw new Error(`The contract must declare the response ${reply.$ref}.`);
        return [status, found];
      });
      return {
        method: method.toUpperCase(),
        path,
        operation: { ...operation, responses: Object.fromEntries(responses) },
      };
    }),
  );

export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Returns the schema behind a reference, merged with the declarations next to the reference and with `allOf`. */
export function resolve(contract: Contract, schema: Schema): Schema {
  const { $ref, allOf, ...rest } = schema;
  const parts = [
    ...($ref === undefined ? [] : [resolve(contract, contract.components.schemas[nameOfRef($ref)] ?? {})]),
    ...(allOf ?? []).map((part) => resolve(contract, part)),
    rest,
  ];
  const all: Schema = {};
  for (const { properties, required, ...part } of parts) {
    Object.assign(all, part);
    if (properties) all.properties = { ...all.properties, ...properties };
    if (required) all.required = [...(all.required ?? []), ...required];
  }
  return all;
}

/** Returns a parameter with its reference resolved. */
export function parameterOf({ components }: Contract, parameter: Parameter): Parameter {
  const found = parameter.$ref === undefined ? parameter : components.parameters?.[nameOfRef(parameter.$ref)];
  if (!found) throw new Error(`The contract must declare the parameter ${parameter.$ref}.`);
  return found;
}
