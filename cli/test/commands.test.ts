// The table of commands against the contract: what a command sends and shows is there.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isOperationCommand, nameOf, namesOf, type OperationCommand, type OptionSpec } from '../src/command.ts';
import { EXIT, EXIT_CODES } from '../src/errors.ts';
import { FAMILIES } from '../src/families.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Contract {
  paths: Record<string, Record<string, ContractOperation>>;
  components: { schemas: Record<string, Schema> };
}
interface ContractOperation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  security: Record<string, string[]>[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const contract: Contract = JSON.parse(
  readFileSync(new URL('../../contract/console.openapi.json', import.meta.url), 'utf8'),
);
const operations = new Map(
  Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => [operation.operationId, { path, ...operation }] as const),
  ),
);

const resolve = (schema: Schema = {}): Schema =>
  schema.$ref ? resolve(contract.components.schemas[schema.$ref.split('/').at(-1) ?? '']) : schema;

/** Whether the schema, or one of those that it may be, has a field at the path. */
function has(schema: Schema | undefined, [first, ...rest]: string[]): boolean {
  if (first === undefined) return true;
  const one = resolve(schema);
  const inner = one.properties?.[first];
  return (
    (inner !== undefined && has(inner, rest)) ||
    [...(one.anyOf ?? []), ...(one.oneOf ?? [])].some((part) => has(part, [first, ...rest]))
  );
}

/** `--no-rate` is about the field of `--rate`. */
const fieldOf = (spec: OptionSpec): string =>
  spec.field ?? nameOf({ ...spec, flags: spec.flags.replace(/^--no-/, '--') });

const loaded = await Promise.all(FAMILIES.map(async ({ name, load }) => ({ family: name, specs: await load() })));
const all = loaded.flatMap(({ family, specs }) =>
  specs.map((spec) => ({ title: `${family} ${spec.name}`.trim(), spec })),
);
const rows = all.flatMap(({ title, spec }) => (isOperationCommand(spec) ? [{ title, spec }] : []));

describe.each(rows)('slipway $title', ({ spec }: { spec: OperationCommand }) => {
  const operation = operations.get(spec.operation);
  const body = Object.values(operation?.requestBody?.content ?? {})[0]?.schema;

  test('takes an access token', () => {
    expect(operation?.security).toContainEqual({ token: [] });
  });

  test('sends what the operation takes, and all that its path needs', () => {
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

  test('shows fields that there are', () => {
    const answer = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
    const list = resolve(Object.values(answer?.content ?? {})[0]?.schema).properties?.data;
    expect(list !== undefined && resolve(list).items !== undefined).toBe(spec.columns !== undefined);
    for (const column of spec.columns ?? [])
      expect([column, has(resolve(list).items, column.split('.'))]).toEqual([column, true]);
  });
});

test('what ends something for good asks first', () => {
  const ends = rows.filter(
    ({ spec: { operation, fixed } }) =>
      /^(delete|revoke|rotate|reset|suspend|end)/.test(operation) || fixed?.state === 'cancelled',
  );
  expect(ends.filter(({ spec }) => spec.question === undefined).map(({ title }) => title)).toEqual(['faults delete']);
});

test('each command has a name of its own', () => {
  const titles = all.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('each exit code is told of', () => {
  expect(EXIT_CODES.map(([code]) => code)).toEqual([0, ...Object.values(EXIT)]);
});
