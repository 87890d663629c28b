// Compares the table of commands with the contract: each parameter, field and column of a command must exist.
import { readdirSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  isOperationCommand,
  nameOf,
  namesOf,
  type OperationCommand,
  type OptionSpec,
  optionalArguments,
} from '../src/command.ts';
import { COMMAND_GROUPS } from '../src/command-groups.ts';
import { EXIT, EXIT_CODES } from '../src/errors.ts';
import { optionsOf, requireAll, specsOf } from '../src/options.ts';

interface Schema {
  $ref?: string;
  required?: string[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Contract {
  paths: Record<string, Record<string, ContractOperation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, ContractResponse> };
}
interface ContractOperation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  security: Record<string, string[]>[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, ContractResponse>;
}
interface ContractResponse {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}

const contract: Contract = JSON.parse(
  readFileSync(new URL('../../contract/console.openapi.json', import.meta.url), 'utf8'),
);
const operations = new Map(
  Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => [operation.operationId, { path, ...operation }] as const),
  ),
);

const methodOf = (id: string): string | undefined =>
  Object.values(contract.paths)
    .flatMap((methods) => Object.entries(methods))
    .find(([, { operationId }]) => operationId === id)?.[0];

const resolve = (schema: Schema = {}): Schema =>
  schema.$ref ? resolve(contract.components.schemas[schema.$ref.split('/').at(-1) ?? '']) : schema;

/** Returns whether the schema, or one of its alternatives, has a field at the path. */
function has(schema: Schema | undefined, [first, ...rest]: string[]): boolean {
  if (first === undefined) return true;
  const one = resolve(schema);
  const inner = one.properties?.[first];
  return (
    (inner !== undefined && has(inner, rest)) ||
    [...(one.anyOf ?? []), ...(one.oneOf ?? [])].some((part) => has(part, [first, ...rest]))
  );
}

/** Returns the field of an option. `--no-rate` sets the field of `--rate`. */
const fieldOf = (spec: OptionSpec): string =>
  spec.field ?? nameOf({ ...spec, flags: spec.flags.replace(/^--no-/, '--') });

const SOURCES = new URL('../src/', import.meta.url);
const excluded = (reason: string, ids: readonly string[]): Record<string, string> =>
  Object.fromEntries(ids.map((id) => [id, reason]));

const loaded = await Promise.all(COMMAND_GROUPS.map(async ({ name, load }) => ({ family: name, specs: await load() })));
const all = loaded.flatMap(({ family, specs }) =>
  specs.map((spec) => ({ title: `${family} ${spec.name}`.trim(), spec })),
);
const rows = all.flatMap(({ title, spec }) => (isOperationCommand(spec) ? [{ title, spec }] : []));

describe.each(rows)('slipway $title', ({ spec }: { spec: OperationCommand }) => {
  const operation = operations.get(spec.operation);
  const body = Object.values(operation?.requestBody?.content ?? {})[0]?.schema;

  test('calls an operation that accepts an access token', () => {
    expect(operation?.security).toContainEqual({ token: [] });
  });

  test('sends only inputs that the operation takes, and every parameter of its path', () => {
    expect(operation).toBeDefined();
    const { path = '', parameters = [] } = operation ?? {};
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const given = namesOf(spec.args);
    expect(inPath.filter((name) => !['organisationId', 'appId', ...given].includes(name ?? ''))).toEqual([]);
    const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    expect((spec.query ?? []).map(fieldOf).filter((name) => !query.includes(name))).toEqual([]);
    const fields = [
      ...(spec.body ?? []).map(fieldOf),
      ...Object.keys(spec.fixed ?? {}),
      ...given.filter((name) => !inPath.includes(name)),
    ];
    expect(fields.filter((field) => !has(body, field.split('.')))).toEqual([]);
    expect(body !== undefined).toBe(spec.body !== undefined || spec.fixed !== undefined);
  });

  test('requires exactly the options that the contract requires', () => {
    const { path = '', parameters = [] } = operation ?? {};
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const given = [...namesOf(spec.args), ...Object.keys(spec.fixed ?? {})];
    const query = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name);
    const needed = [...query, ...(resolve(body).required ?? [])].filter(
      (name) => !given.includes(name) && !inPath.includes(name),
    );
    const required = [...(spec.query ?? []), ...(spec.body ?? [])]
      .filter((one) => one.isRequired && !one.alternative)
      .map(fieldOf);
    // The API refuses an empty change, so the command requires the field in its name.
    const isChange = methodOf(spec.operation) === 'patch';
    if (isChange) expect(required).toEqual(expect.arrayContaining(needed));
    else expect(required.toSorted()).toEqual(needed.toSorted());
  });

  test('shows only fields that the response schema has', () => {
    const given = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
    const answer = given?.$ref ? contract.components.responses[given.$ref.split('/').at(-1) ?? ''] : given;
    const list = resolve(Object.values(answer?.content ?? {})[0]?.schema).properties?.data;
    expect(list !== undefined && resolve(list).items !== undefined).toBe(spec.columns !== undefined);
    for (const column of spec.columns ?? [])
      expect([column, has(resolve(list).items, column.split('.'))]).toEqual([column, true]);
  });
});

test('every command that prints a list takes --limit', () => {
  const withoutLimit = all.filter(({ title, spec }) => {
    const isList = isOperationCommand(spec)
      ? spec.columns !== undefined
      : ['servers', 'events', 'requests errors'].includes(title);
    return isList && !specsOf(spec).some((one) => nameOf(one) === 'limit');
  });
  expect(withoutLimit.map(({ title }) => title)).toEqual([]);
});

test('every command with an irreversible effect asks for confirmation', () => {
  const ends = rows.filter(
    ({ spec: { operation, fixed } }) =>
      /^(delete|revoke|rotate|reset|suspend|end)/.test(operation) || fixed?.state === 'cancelled',
  );
  expect(ends.filter(({ spec }) => spec.question === undefined).map(({ title }) => title)).toEqual(['faults delete']);
});

test('exactly the commands with an empty response print that they are done', () => {
  const isSilent = ({ operation }: OperationCommand): boolean =>
    Object.entries(operations.get(operation)?.responses ?? {}).some(
      ([status, { $ref, content }]) => status.startsWith('2') && $ref === undefined && content === undefined,
    );
  const silent = rows.filter(({ spec }) => isSilent(spec)).map(({ title }) => title);
  expect(rows.filter(({ spec }) => spec.done !== undefined).map(({ title }) => title)).toEqual(silent);
  expect(silent).toContain('endpoints end-overlap');
});

test.each(all)('the example of slipway $title names the command, and its required arguments and options', ({
  title,
  spec,
}) => {
  const typed: string[] = spec.example.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  const path = title.split(' ');
  expect(typed.slice(0, path.length)).toEqual(path);
  const end = typed.includes('>') ? typed.indexOf('>') : undefined;
  const command = new Command().exitOverride();
  if (spec.args) command.arguments(optionalArguments(spec.args));
  for (const one of optionsOf(spec)) command.addOption(one);
  command
    .action(() => requireAll(spec, command.opts(), command.args))
    .parse(typed.slice(path.length, end), { from: 'user' });
});

test('each command has a unique name', () => {
  const titles = all.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

describe('operations and inputs without a command', () => {
  // Each operation with the reason. A new management operation needs a command or a line here.
  const LEFT_OUT: Readonly<Record<string, string>> = {
    ...excluded('members and their roles are managed in the Console', [
      'listAccessTokens',
      'listMembers',
      'listInvitations',
    ]),
    ...excluded('a rare change: the Console, or `slipway api`', ['updateOrganisation']),
    ...excluded('live access is requested and decided in the Console', [
      'listLiveAccess',
      'listLiveAccessRequests',
      'getLiveAccessRequest',
    ]),
    ...excluded('auditors use curl or the Console', [
      'listAuditLog',
      'exportAuditLog',
      'exportAuditTable',
      'listAuditEntries',
    ]),
    ...excluded('only the charts and live pages of the Console need it', [
      'getAttemptHistogram',
      'getRequestHistogram',
      'getRequestValues',
      'getEventTypes',
      'followChanges',
    ]),
    ...excluded('docs/build/inspector.md describes the call', [
      'exportRequests',
      'exportRequestTable',
      'listRecordGaps',
      'listAppEvents',
      'sendEvent',
    ]),
    ...excluded('docs/build/sandbox-data.md describes the call', ['listWorldObjects', 'getWorldObject']),
    ...excluded('members save and open views in the Console', ['listSavedViews']),
    ...excluded('an access token is refused', ['revealSigningSecret']),
    ...excluded('a bulk revocation is reviewed in the Console', ['revokeKeysMadeBy']),
    ...excluded('a terminal calls /v1 with the key itself', ['createCall']),
  };

  test('each operation that accepts an access token has a command or a stated reason', () => {
    const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(new URL(name, SOURCES), 'utf8'))
      .join('\n');
    // Used as a row of the table, or called by a command's own function.
    const isUsed = (id: string): boolean =>
      new RegExp(`operation: '${id}'|\\b(api|lookup|management)\\.${id}\\(`).test(sources);
    const missing = [...operations].flatMap(([id, { security = [] }]) =>
      security.some((one) => one.token) && !isUsed(id) ? [id] : [],
    );
    expect(missing.toSorted()).toEqual(Object.keys(LEFT_OUT).toSorted());
  });

  test('each input of an operation has an option or a stated reason', () => {
    const missing = rows.flatMap(({ title, spec: { operation: id, args, query = [], body = [], fixed = {} } }) => {
      const { parameters = [], requestBody } = operations.get(id) ?? {};
      const schema = resolve(Object.values(requestBody?.content ?? {})[0]?.schema);
      const given = [...query, ...body].map((one) => fieldOf(one).split('.')[0]);
      const said = [...given, ...Object.keys(fixed), ...namesOf(args), 'limit', 'cursor'];
      const taken = [
        ...parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])),
        ...Object.keys(schema.properties ?? {}),
      ];
      // A command that only sets a constant is named after it, such as `pause`.
      const isNamedByIt = Object.keys(fixed).length > 0 && body.length === 0;
      return isNamedByIt ? [] : taken.filter((name) => !said.includes(name)).map((name) => `${title}: ${name}`);
    });
    expect(missing).toEqual([
      'apps rename: capturesBodies', // apps set
      'redeliveries set-rate: state', // redeliveries pause, resume, cancel
      'world reset: preset', // world preset
      'faults set-share: isEnabled', // faults enable, disable
    ]);
  });
});

test('keys rotate forecasts fewer scopes and an immediate end, and not the lifetime of the successor', () => {
  const rotate = rows.find(({ spec }) => spec.operation === 'rotateKey')?.spec;
  const forecast = (options: object) => rotate?.forecast?.({ keyId: 'key_1', expiresInDays: 1, ...options });
  const scopes = ['servers:read'];
  expect(rotate?.forecast).toBeDefined();
  expect(forecast({ overlapHours: 24 })).toBeUndefined();
  expect(forecast({ overlapHours: 24, scopes })).toEqual({ key: { keyId: 'key_1', scopes } });
  expect(forecast({ overlapHours: 0 })).toEqual({ key: { keyId: 'key_1', state: 'revoked' } });
});

test('help exit-codes lists each exit code', () => {
  expect(EXIT_CODES.map(([code]) => code)).toEqual([0, ...Object.values(EXIT)]);
});
