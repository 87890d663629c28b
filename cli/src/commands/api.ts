// Calls an operation of either document, including operations that have no command of their own.
import { readFileSync } from 'node:fs';
import {
  type ApiOperation,
  type ApiParameter,
  DEFAULT_TABLE,
  findOperation,
  type JsonSchema,
  type OperationTable,
} from '../api-operation.ts';
import { BinaryBody } from '../binary.ts';
import { type CommandSpec, type Invocation, option, pairs, unvalidated } from '../command.ts';
import { UsageError } from '../errors.ts';
import { createStream, printBinary, printOne } from '../output.ts';
import { printTarget } from '../perform.ts';
import type { Session } from '../session.ts';
import { escapeText } from '../text.ts';
import { callV1, readServedTable } from './v1.ts';

/** Parameters of the management API that the session determines unless they are given. */
const CHOSEN = ['organisationId', 'appId'];

const isChosen = ({ api }: ApiOperation, name: string): boolean => api === 'management' && CHOSEN.includes(name);

export const api: readonly CommandSpec[] = [
  {
    name: '',
    args: '<operation>',
    summary: 'call an operation of /v1 or of the management API',
    example: 'api getTicket --param ticketId=tkt_...',
    about: [
      'Operations of /v1 are called with SLIPWAY_KEY, operations of the management API with your access token. The API reports',
      'its own operations of /v1; one whose name the management API uses is called v1_NAME. The parameters organisationId and',
      'appId default to your selection. `slipway api OPERATION --help` lists the parameters of an operation. One page of a',
      'list is printed; to read the next page, pass the parameter of the list, such as --param cursor=... with the',
      'nextCursor of the page. A response that is not text, such as a PDF file, is written unchanged to a pipe or a file:',
      'slipway api OPERATION > FILE',
    ].join('\n'),
    async describe(words, settings) {
      const common = { app: undefined, profile: undefined, environment: 'sandbox', isDryRun: false } as const;
      // Without a readable contract, the help describes the default one.
      const served = await readServedTable({ settings, common, expect() {} }).catch(() => undefined);
      const table = served ?? DEFAULT_TABLE;
      const operation = words.map((word) => findOperation(table, word)).find((one) => one !== undefined);
      return operation ? textOf(operation, table) : '';
    },
    options: [
      option('--param <name=value>', 'parameter in path, query or header; can be repeated', pairs),
      option('--body <json>', 'body as JSON; @FILE reads a file, - reads standard input'),
    ],
    handlesInterrupt: true,
    async run(call) {
      const name = call.args.operation ?? '';
      const operation = await operationOf(call, name);
      if (operation.credential === 'session')
        throw new UsageError(`${name} requires the session of a browser: use the Console.`);
      const given = unvalidated<Record<string, string> | undefined>(call.options.param) ?? {};
      requireKnown(name, operation, given);
      requireComplete(name, operation, given, call.options.body !== undefined);
      const body = await bodyOf(call);
      const session = operation.api === 'v1' ? undefined : await call.session();
      const input = await inputOf(operation, given, session);
      if (session && operation.method !== 'GET')
        await printTarget(call, session, operation.path.includes('{appId}') && given.appId === undefined);
      const headers = valuesIn(operation, given, 'header');
      const sent = {
        ...input,
        ...(session && name === 'followChanges' && { reads: input.reads?.split(',') ?? [] }), // it takes a list
        ...(body !== undefined && { body }),
      };
      const options = { signal: call.io.interrupted, ...(Object.keys(headers).length > 0 && { headers }) };
      const methods = unvalidated<Record<string, (input: object, options: object) => unknown>>(session?.api);
      const answer = session ? methods[name]?.(sent, options) : callV1(call, operation, sent, options);
      if (!operation.isStream) {
        const value = await answer;
        if (value instanceof BinaryBody) return printBinary(call.io, value);
        return printOne(call.io, value, call.form);
      }
      const print = createStream(call.io, [], { ...call.form, json: call.form.json ?? [] });
      for await (const item of unvalidated<AsyncIterable<unknown>>(answer)) print([item]);
    },
  },
];

/**
 * Returns the operation with this name. If the API does not answer, its operations are those of the default contract:
 * the call gets no answer either, and a dry run prints it.
 */
async function operationOf(call: Invocation, name: string): Promise<ApiOperation> {
  const known = findOperation(DEFAULT_TABLE, name);
  if (known?.api === 'management') return known;
  const served = await readServedTable(call);
  const found = findOperation(served ?? DEFAULT_TABLE, name);
  if (!found) throw new UsageError(unknownOperation(name, served));
  return found;
}

function unknownOperation(name: string, served: OperationTable | undefined): string {
  const names = Object.keys((served ?? DEFAULT_TABLE).operations);
  const same = names.filter((id) => id.toLowerCase().includes(name.toLowerCase())).slice(0, 5);
  const hint = same.length > 0 ? ` Did you mean ${escapeText(same.join(', '))}?` : '';
  const note = served
    ? ''
    : ' The API did not answer: set its address in SLIPWAY_API_URL if its contract has the operation.';
  return `there is no operation ${escapeText(name)}.${hint} \`slipway api\` completes the names in a shell.${note}`;
}

function requireKnown(name: string, { parameters }: ApiOperation, given: object): void {
  const known = parameters.map((one) => one.name);
  const unknown = Object.keys(given).find((one) => !known.includes(one));
  if (unknown !== undefined)
    throw new UsageError(
      `${name} has no parameter ${escapeText(unknown)}; its parameters: ${known.join(', ') || 'none'}.`,
    );
}

function requireComplete(
  name: string,
  operation: ApiOperation,
  given: Readonly<Record<string, string>>,
  hasBody: boolean,
): void {
  // An empty segment or dots in a path would address another operation.
  const lacks = ({ name: parameter, in: place }: ApiOperation['parameters'][number]): boolean =>
    !Object.hasOwn(given, parameter) || (place === 'path' && /^\.{0,2}$/.test(given[parameter] ?? ''));
  const missing = operation.parameters
    .filter((one) => one.isRequired && !isChosen(operation, one.name) && lacks(one))
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
function textOf(operation: ApiOperation, { schemas }: OperationTable): string {
  const { method, path, summary, parameters, body, isBodyRequired, credential } = operation;
  // The command needs a credential also for an operation that requires none.
  const none = operation.api === 'v1' ? 'SLIPWAY_KEY' : 'access token';
  const by = { key: 'SLIPWAY_KEY', token: 'access token', session: 'only in the Console', none };
  const rows = parameters.map((one) => {
    const mark = !one.isRequired ? '' : isChosen(operation, one.name) ? ' (selected)' : ' (required)';
    const texts = [one.description.split('\n')[0] ?? '', noteOf(valuesOf(one.schema), one.schema.default)];
    return `  --param ${one.name}=<${one.schema.type ?? 'value'}>${mark}: ${texts.join(' ').trim()}`;
  });
  const fields = body === null ? [] : fieldsOf(body, schemas[operation.api]);
  return [
    `${summary}: ${method} ${path} (${by[credential]})`,
    ...rows,
    ...(body === null ? [] : [`  --body <json>${isBodyRequired ? ' (required)' : ''}`, ...fields]),
  ]
    .map(escapeText)
    .join('\n');
}

type Schemas = OperationTable['schemas'][ApiOperation['api']];

function fieldsOf(schema: JsonSchema, schemas: Schemas): string[] {
  return [...namedFields(schema, schemas)].map(([name, { schema: one, isRequired, values }]) => {
    const { default: preset } = resolve(one, schemas);
    const texts = [describeField(one, schemas), noteOf(values, preset)].filter((text) => text !== '');
    return `      ${name}${isRequired ? ' (required)' : ''}: ${texts.join(' ')}`;
  });
}

interface Field {
  schema: JsonSchema;
  isRequired: boolean;
  /** The accepted values, if the schema lists them. */
  values: readonly unknown[];
}

interface ObjectSchema {
  required?: string[];
  properties?: Record<string, JsonSchema>;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
}

const MAX_LEVELS = 5;

/** Returns the fields of an object and of its alternatives. A field of alternatives is required if each of them requires it. */
function namedFields(schema: JsonSchema, schemas: Schemas, level = 0): Map<string, Field> {
  const resolved = unvalidated<ObjectSchema>(resolve(schema, schemas));
  const { required = [], properties = {}, oneOf, anyOf } = resolved;
  const fields = new Map<string, Field>();
  for (const [name, one] of Object.entries(properties))
    fields.set(name, { schema: one, isRequired: required.includes(name), values: valuesOf(resolve(one, schemas)) });
  // A body that a request can omit has null as an alternative.
  const others = level < MAX_LEVELS ? (oneOf ?? anyOf ?? []).filter(({ type }) => type !== 'null') : [];
  const alternatives = others.map((one) => namedFields(one, schemas, level + 1));
  for (const name of new Set(alternatives.flatMap((one) => [...one.keys()]))) {
    const given = alternatives.flatMap((one) => one.get(name) ?? []);
    const own = fields.get(name);
    const isInAll = given.length === alternatives.length && given.every((one) => one.isRequired);
    const hasValues = given.every(({ values }) => values.length > 0);
    fields.set(name, {
      schema: own?.schema ?? given[0]?.schema ?? {},
      isRequired: required.includes(name) || isInAll,
      values: hasValues ? [...new Set(given.flatMap(({ values }) => values))] : (own?.values ?? []),
    });
  }
  return fields;
}

const valuesOf = ({ enum: values, const: value }: JsonSchema): readonly unknown[] =>
  Array.isArray(values) ? values : value === undefined ? [] : [value];

/** Returns the accepted values and the default, in parentheses. */
function noteOf(values: readonly unknown[], preset: unknown): string {
  const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const notes = [
    ...(values.length > 0 ? [`one of ${values.map(textOfValue).join(', ')}`] : []),
    ...(preset === undefined ? [] : [`default ${textOfValue(preset)}`]),
  ];
  return notes.length === 0 ? '' : `(${notes.join('; ')})`;
}

function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? (schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
}

/** Returns the description of a field. A field that can be null has it in the other alternative. */
function describeField(field: JsonSchema, schemas: Schemas): string {
  const { description, oneOf, type } = resolve(field, schemas);
  const [first] = unvalidated<JsonSchema[] | undefined>(oneOf) ?? [];
  return String(description ?? (first && describeField(first, schemas)) ?? type ?? '');
}
