// Calls an operation of either document, including operations that have no command of their own.
import { readFileSync } from 'node:fs';
import {
  API_OPERATIONS,
  API_SCHEMAS,
  type ApiOperation,
  type ApiParameter,
  findOperation,
  type JsonSchema,
} from '../api-operation.ts';
import { type CommandSpec, type Invocation, option, pairs, unvalidated } from '../command.ts';
import { UsageError } from '../errors.ts';
import { createStream, printOne } from '../output.ts';
import { printTarget } from '../perform.ts';
import type { Session } from '../session.ts';
import { escapeText } from '../text.ts';
import { openClient } from './v1.ts';

/** Parameters that the session determines unless they are given. */
const CHOSEN = ['organisationId', 'appId'];

export const api: readonly CommandSpec[] = [
  {
    name: '',
    args: '<operation>',
    summary: 'call an operation of /v1 or of the management API',
    example: 'api getTicket --param ticketId=tkt_...',
    about: [
      'Operations of /v1 are called with SLIPWAY_KEY, operations of the management API with your access token. The parameters',
      'organisationId and appId default to your selection. `slipway api OPERATION --help` lists the parameters of an',
      'operation. One page of a list is printed; pass nextCursor as --param cursor=... to read the next page.',
    ].join('\n'),
    describe: (words) => words.map(findOperation).flatMap((one) => (one ? [textOf(one)] : []))[0] ?? '',
    options: [
      option('--param <name=value>', 'parameter in path, query or header; can be repeated', pairs),
      option('--body <json>', 'body as JSON; @FILE reads a file, - reads standard input'),
    ],
    handlesInterrupt: true,
    async run(call) {
      const name = call.args.operation ?? '';
      const operation = findOperation(name);
      if (!operation) throw new UsageError(unknownOperation(name));
      if (operation.credential === 'session')
        throw new UsageError(`${name} requires the session of a browser: use the Console.`);
      const given = unvalidated<Record<string, string> | undefined>(call.options.param) ?? {};
      requireKnown(name, operation, given);
      requireComplete(name, operation, given, call.options.body !== undefined);
      const body = await bodyOf(call);
      const client = operation.api === 'v1' ? openClient(call) : await call.session();
      const input = await inputOf(operation, given, 'lookup' in client ? client : undefined);
      if ('lookup' in client && operation.method !== 'GET')
        await printTarget(call, client, operation.path.includes('{appId}') && given.appId === undefined);
      const headers = valuesIn(operation, given, 'header');
      const methods = unvalidated<Record<string, (input: object, options: object) => unknown>>(
        'lookup' in client ? client.api : client,
      );
      const answer = methods[name]?.(
        // `followChanges` takes a list.
        {
          ...input,
          ...(name === 'followChanges' && { reads: input.reads?.split(',') ?? [] }),
          ...(body !== undefined && { body }),
        },
        { signal: call.io.interrupted, ...(Object.keys(headers).length > 0 && { headers }) },
      );
      if (!operation.isStream) return printOne(call.io, await answer, call.form);
      const print = createStream(call.io, [], { ...call.form, json: call.form.json ?? [] });
      for await (const item of unvalidated<AsyncIterable<unknown>>(answer)) print([item]);
    },
  },
];

function unknownOperation(name: string): string {
  const same = Object.keys(API_OPERATIONS).filter((id) => id.toLowerCase().includes(name.toLowerCase()));
  const hint = same.length > 0 ? ` Did you mean ${same.slice(0, 5).join(', ')}?` : '';
  return `there is no operation ${escapeText(name)}.${hint} \`slipway api\` completes the names in a shell.`;
}

function requireKnown(name: string, { parameters }: ApiOperation, given: object): void {
  const known = parameters.map((one) => one.name);
  const unknown = Object.keys(given).find((one) => !known.includes(one));
  if (unknown !== undefined)
    throw new UsageError(
      `${name} has no parameter ${escapeText(unknown)}; its parameters: ${known.join(', ') || 'none'}.`,
    );
}

function requireComplete(name: string, operation: ApiOperation, given: object, hasBody: boolean): void {
  const missing = operation.parameters
    .filter((one) => one.isRequired && !CHOSEN.includes(one.name) && !Object.hasOwn(given, one.name))
    .map((one) => `--param ${one.name}=<value>`);
  if (operation.isBodyRequired && !hasBody) missing.push('--body <json>');
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}. Try \`slipway api ${name} --help\`.`);
  if (hasBody && operation.body === null) throw new UsageError(`${name} takes no --body.`);
}

async function bodyOf({ io, options }: Invocation): Promise<unknown> {
  if (typeof options.body !== 'string') return undefined;
  const text = await readBody(options.body, io);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--body: must be JSON (${error instanceof Error ? error.message : error}).`);
  }
}

async function readBody(given: string, io: Invocation['io']): Promise<string> {
  if (given === '-') return (await io.readAll()).toString('utf8');
  if (!given.startsWith('@')) return given;
  try {
    return readFileSync(given.slice(1), 'utf8');
  } catch (error) {
    throw new UsageError(`--body: ${error instanceof Error ? error.message : error}.`);
  }
}

const valuesIn = (
  { parameters }: ApiOperation,
  given: Readonly<Record<string, string>>,
  place: ApiParameter['in'],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => parameters.find((one) => one.name === name)?.in === place),
  );

/** Returns path and query, with the selected organisation and app. */
async function inputOf(
  operation: ApiOperation,
  given: Readonly<Record<string, string>>,
  session: Session | undefined,
): Promise<Record<string, string>> {
  const input = { ...valuesIn(operation, given, 'query'), ...valuesIn(operation, given, 'path') };
  const needs = (name: string): boolean =>
    operation.parameters.some((one) => one.name === name && one.in === 'path') && input[name] === undefined;
  if (session && needs('organisationId')) input.organisationId = (await session.organisation()).id;
  if (session && needs('appId')) input.appId = (await session.app()).id;
  return input;
}

/** Returns the text of the help: the parameters of an operation, and the fields of its body. */
function textOf(operation: ApiOperation): string {
  const { method, path, summary, parameters, body, isBodyRequired, credential } = operation;
  // The command needs a credential also for an operation that requires none.
  const none = operation.api === 'v1' ? 'SLIPWAY_KEY' : 'access token';
  const by = { key: 'SLIPWAY_KEY', token: 'access token', session: 'only in the Console', none };
  const rows = parameters.map((one) => {
    const mark = !one.isRequired ? '' : CHOSEN.includes(one.name) ? ' (selected)' : ' (required)';
    return `  --param ${one.name}=<${one.schema.type ?? 'value'}>${mark}: ${one.description.split('\n')[0]}`;
  });
  const fields = body === null ? [] : fieldsOf(body, operation.api);
  return [
    `${summary}: ${method} ${path} (${by[credential]})`,
    ...rows,
    ...(body === null ? [] : [`  --body <json>${isBodyRequired ? ' (required)' : ''}`, ...fields]),
  ].join('\n');
}

function fieldsOf(schema: JsonSchema, apiName: ApiOperation['api']): string[] {
  const resolved = resolve(schema, apiName);
  const required = unvalidated<string[] | undefined>(resolved.required) ?? [];
  const properties = unvalidated<Record<string, JsonSchema> | undefined>(resolved.properties) ?? {};
  return Object.entries(properties).map(
    ([name, one]) => `      ${name}${required.includes(name) ? ' (required)' : ''}: ${describeField(one, apiName)}`,
  );
}

function resolve(schema: JsonSchema, apiName: ApiOperation['api']): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? (API_SCHEMAS[apiName][$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
}

/** Returns the description of a field. A field that can be null has it in the other alternative. */
function describeField(field: JsonSchema, apiName: ApiOperation['api']): string {
  const { description, oneOf, type } = resolve(field, apiName);
  const [first] = unvalidated<JsonSchema[] | undefined>(oneOf) ?? [];
  return String(description ?? (first && describeField(first, apiName)) ?? type ?? '');
}
