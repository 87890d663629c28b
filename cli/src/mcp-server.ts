// The MCP server of `slipway mcp`: a tool for each operation that an access token or a key may call. The tool of a
// change sends nothing: it returns the call and a confirmation token. `confirmChange`, called with both, sends the
// call.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type CallToolResult, fromJsonSchema, type jsonSchemaValidator, McpServer } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type ApiOperation, type JsonSchema, type OperationTable, standalone } from './api-operation.ts';
import { toExit } from './exit.ts';
import { redactCredentials } from './redact.ts';
import { CONFIRM } from './served-contract.ts';

/** Calls an operation with its path, query and body. */
type CallOperation = (name: string, operation: ApiOperation, input: object, signal: AbortSignal) => Promise<unknown>;

export interface McpOptions {
  version: string;
  /** True if the server also offers operations that change data. */
  allowsChanges: boolean;
  /** The operations of the served contract and of the management API. */
  table: OperationTable;
  /** The scopes of the key of /v1; undefined without a key. */
  keyScopes?: readonly string[] | undefined;
  /** Operations to offer; all if undefined. */
  only?: readonly string[] | undefined;
  call: CallOperation;
  /** Returns path, query and body of a call, with the selected organisation and app. */
  resolve(operation: ApiOperation, input: ToolInput): Promise<Record<string, unknown>>;
  /** Returns the line that names environment, organisation and app of a call with this resolved input. */
  describeTarget(operation: ApiOperation, input: ToolInput): Promise<string>;
  now?: () => number;
}

export type ToolInput = Readonly<Record<string, unknown>>;

interface PendingChange {
  name: string;
  operation: ApiOperation;
  input: Record<string, unknown>;
  expiresAtMs: number;
}

/** The input of the tool that sends a change. The client shows it to the user, so it contains the whole change. */
interface Confirmation {
  token: string;
  operation: string;
  parameters?: ToolInput;
  body?: unknown;
}

const CONFIRMATION_MS = 10 * 60_000;
const MAX_PENDING = 100;
/** Larger results would fill the context of a model. */
const MAX_RESULT_LENGTH = 100_000;

/**
 * Returns whether the server may offer an operation: one of the management API, or one of /v1 that the scopes of the key
 * permit. A secret that is shown once must not reach a model.
 */
export function isOffered(
  { api, credential, scopes, isStream, hasSecret, method }: ApiOperation,
  { allowsChanges, keyScopes }: Pick<McpOptions, 'allowsChanges' | 'keyScopes'>,
): boolean {
  if (isStream || hasSecret || (method !== 'GET' && !allowsChanges)) return false;
  if (api === 'management') return credential === 'token';
  return credential === 'key' && keyScopes !== undefined && scopes.every((scope) => keyScopes.includes(scope));
}

export function createMcpServer(options: McpOptions): McpServer {
  const { version, allowsChanges, only, table } = options;
  const server = new McpServer(
    { name: 'slipway', version },
    {
      instructions: allowsChanges
        ? `A tool that changes something sends nothing: it returns the call and a token. Show the call to the user, then call ${CONFIRM} with the token, and with operation, parameters and body of the call.`
        : 'All tools only read.',
    },
  );
  const validator = createValidator();
  const pending = new Map<string, PendingChange>();
  for (const [name, operation] of Object.entries(table.operations)) {
    if (!isOffered(operation, options) || (only && !only.includes(name))) continue;
    const isRead = operation.method === 'GET';
    server.registerTool(
      name,
      {
        title: operation.summary,
        description: `${operation.summary}. ${operation.description}`,
        inputSchema: fromJsonSchema<ToolInput>(inputSchemaOf(operation, table), validator),
        annotations: {
          readOnlyHint: isRead,
          destructiveHint: !isRead,
          idempotentHint: isRead || operation.method === 'PUT',
          openWorldHint: false,
        },
      },
      (input, { mcpReq }) =>
        answer(async () => {
          const resolved = await options.resolve(operation, input);
          return isRead
            ? options.call(name, operation, resolved, mcpReq.signal)
            : await prepareChange(options, pending, { name, operation, input: resolved });
        }),
    );
  }
  if (allowsChanges) registerConfirmation(server, options, pending, validator);
  return server;
}

/**
 * Returns a validator that compiles a schema at the first call of its tool, because a client calls few of the tools.
 */
function createValidator(): jsonSchemaValidator {
  const ajv = new AjvJsonSchemaValidator(new Ajv2020({ strict: false, validateFormats: false, allErrors: true }));
  return {
    getValidator<T>(schema: Parameters<jsonSchemaValidator['getValidator']>[0]) {
      let compiled: ReturnType<typeof ajv.getValidator<T>> | undefined;
      return (input) => {
        compiled ??= ajv.getValidator<T>(schema);
        return compiled(input);
      };
    },
  };
}

/** Returns the schema of a tool: parameters and body. The organisation is that of the token; the app can be named. */
function inputSchemaOf(
  { api, parameters, body, isBodyRequired }: ApiOperation,
  { schemas }: OperationTable,
): JsonSchema {
  // In an operation of /v1, `organisationId` and `appId` can be parameters of an operator's contract.
  const isManaged = api === 'management';
  const taken = parameters.filter(
    ({ name, in: place }) => place !== 'header' && !(isManaged && name === 'organisationId'),
  );
  const properties = Object.fromEntries(
    taken.map(({ name, schema, description }) => [name, { ...schema, description }] as const),
  );
  const required = taken
    .filter(({ name, isRequired }) => isRequired && !(isManaged && name === 'appId'))
    .map(({ name }) => name);
  return standalone(
    {
      type: 'object',
      properties: { ...properties, ...(body && { body }) },
      required: [...required, ...(body && isBodyRequired ? ['body'] : [])],
      additionalProperties: false,
    },
    schemas[api],
  );
}

async function answer(run: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const value = await run();
    return { content: [{ type: 'text', text: printable(value) }] };
  } catch (error) {
    return {
      isError: true,
      content: [{ type: 'text', text: redactCredentials(toExit(error, undefined).lines.join('\n')) }],
    };
  }
}

function printable(value: unknown): string {
  const text = redactCredentials(typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? 'Done.'));
  if (text.length <= MAX_RESULT_LENGTH) return text;
  return `${text.slice(0, MAX_RESULT_LENGTH)}\n[cut after ${MAX_RESULT_LENGTH} characters: use limit or a filter]`;
}

/** Stores the call of a change, and returns it with the token that sends it. */
async function prepareChange(
  { describeTarget, now = Date.now }: McpOptions,
  pending: Map<string, PendingChange>,
  { name, operation, input }: { name: string; operation: ApiOperation; input: Record<string, unknown> },
): Promise<object> {
  const target = await describeTarget(operation, input);
  const token = randomUUID();
  const [oldest] = pending.keys();
  if (pending.size >= MAX_PENDING && oldest !== undefined) pending.delete(oldest);
  pending.set(token, { name, operation, input, expiresAtMs: now() + CONFIRMATION_MS });
  const { body, ...parameters } = input;
  return {
    isDryRun: true,
    target,
    call: {
      operation: name,
      method: operation.method,
      path: operation.path,
      parameters,
      ...(body !== undefined && { body }),
    },
    token,
    next: `Nothing was changed. To send this call, call ${CONFIRM} within 10 minutes, with this token and with the operation, parameters and body of this call. The token sends one call.`,
  };
}

const CONFIRMATION_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    token: { type: 'string', description: 'The token of the prepared change.' },
    operation: { type: 'string', description: 'The operation of the prepared call.' },
    parameters: { type: 'object', description: 'The parameters of the prepared call.' },
    body: { description: 'The body of the prepared call, if it has a body.' },
  },
  required: ['token', 'operation'],
  additionalProperties: false,
};

/** Returns whether a confirmation names exactly the prepared call. The order of fields does not matter. */
function isOfChange({ operation, parameters = {}, body }: Confirmation, { name, input }: PendingChange): boolean {
  const { body: preparedBody, ...prepared } = input;
  return operation === name && isDeepStrictEqual(parameters, prepared) && isDeepStrictEqual(body, preparedBody);
}

function registerConfirmation(
  server: McpServer,
  { call, now = Date.now }: McpOptions,
  pending: Map<string, PendingChange>,
  validator: jsonSchemaValidator,
): void {
  server.registerTool(
    CONFIRM,
    {
      title: 'Send a prepared change',
      description:
        'Sends the call that an earlier tool prepared. Operation, parameters and body must equal those of that call.',
      inputSchema: fromJsonSchema<Confirmation>(CONFIRMATION_SCHEMA, validator),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    (confirmation, { mcpReq }) =>
      answer(async () => {
        const { token } = confirmation;
        const change = pending.get(token);
        if (!change || change.expiresAtMs <= now())
          throw new Error('No change has this token: it was sent, it expired, or it never existed. Prepare it again.');
        if (!isOfChange(confirmation, change))
          throw new Error('Nothing was sent: operation, parameters and body must equal those of the prepared call.');
        // Removed before the call, so that one token sends one call.
        pending.delete(token);
        return (await call(change.name, change.operation, change.input, mcpReq.signal)) ?? 'Done.';
      }),
  );
}
