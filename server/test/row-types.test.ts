// Row types are assertions that the compiler cannot check. Here Postgres prepares each statement of server/src, and the
// columns are compared with the row type: names, types and nullability.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from './harness.ts';
import { collectStatements, type RowMember, type SqlStatement } from './row-types/collect.ts';
import { type Column, columnsOf, type Reader, readerOn } from './row-types/columns.ts';
import { differencesOf } from './row-types/compare.ts';
import { root } from './sources.ts';

/** Calls that pass on a statement of a caller. Each caller's statement is checked. */
const PASSED_ON = [
  {
    file: 'server/src/access/authority/store.ts',
    code: 'tenant.query<{ revision: number; is_row: true | null } & Row>(sql`',
  },
  { file: 'server/src/access/authority/tenant-store.ts', code: 'query(bindItems(statement, [{ appId, item }]))' },
  { file: 'server/src/access/authority/tenant-store.ts', code: 'send(' },
  { file: 'server/src/access/authority/tenant-store.ts', code: 'statement' },
  { file: 'server/src/kit/db/shared-transaction.ts', code: 'query<{ nth: number }>(bindItems(statement, rows))' },
];

/** Columns that are never null for a reason that the tree of the statement does not show. */
const NEVER_NULL = [
  {
    file: 'server/src/access/audit/store.ts',
    column: 'hash',
    because: 'a trigger sets the hash of a head in the statement that inserts the head',
  },
  {
    file: 'server/src/access/authority/access-lock-store.ts',
    column: 'is_held',
    because: 'each item has both ids, and Postgres does not know the items of a JSON text',
  },
  {
    file: 'server/src/access/authority/idempotency-store.ts',
    column: 'ok',
    because: 'each item has a key, and Postgres does not know the items of a JSON text',
  },
  {
    file: 'server/src/identity/sessions/ended-access-store.ts',
    column: 'organisation_id',
    because: 'a check of device_sign_ins sets the person and the organisation together',
  },
  {
    file: 'server/src/identity/sessions/second-factor-removal-store.ts',
    column: 'due_at',
    because: 'the insert and the update of a conflict both set the time',
  },
  {
    file: 'server/src/platform/mail/store.ts',
    column: 'text',
    because: 'a check of outbox requires the text of a waiting message',
  },
  {
    file: 'server/src/webhooks/dispatch/attempt/attempt-store.ts',
    column: 'delivery_id',
    because: 'each item has the id, and Postgres does not know the items of a JSON text',
  },
  {
    file: 'server/src/webhooks/dispatch/workers/worker-store.ts',
    column: 'worker_id',
    because: 'a claim sets the worker and the state in_flight in one statement',
  },
  ...['delivery_id', 'is_held', 'is_idle'].map((column) => ({
    file: 'server/src/webhooks/webhooks/enqueue-store.ts',
    column,
    because: 'each item has its fields, and Postgres does not know the items of a JSON text',
  })),
  {
    file: 'server/src/webhooks/webhooks/store.ts',
    column: 'key_ids',
    because: 'an id before a null array is an array of that id',
  },
];

/** Columns that the row type makes nullable and that never are. */
const WIDER = [
  {
    file: 'server/src/webhooks/webhooks/secret-store.ts',
    column: 'sealed_secret',
    because: 'the row type has one type for each sealed column, which resealRow reads by name',
  },
];

let databases: TestDatabase[];
let statements: SqlStatement[];
/** The statements that a database prepares, with the columns of each text. */
let prepared: { statement: SqlStatement; columns: Column[] }[];
let refused: string[];

const placeOf = ({ file, line }: SqlStatement): string => `${file}:${line}`;

beforeAll(async () => {
  databases = await Promise.all([cloneDatabase('plane'), cloneDatabase('console')]);
  const readers = await Promise.all(databases.map(({ superuser }) => readerOn(superuser)));
  statements = collectStatements(root);
  prepared = [];
  refused = [];
  for (const statement of statements) await prepare(statement, readers);
}, 240_000);
afterAll(() => Promise.all(databases.map((database) => database.drop())));

/** A statement of the kit and of `access` runs on both databases, another one on one of them. */
async function prepare(statement: SqlStatement, readers: readonly Reader[]): Promise<void> {
  for (const text of statement.texts) {
    const results = await Promise.allSettled(readers.map((reader) => columnsOf(reader, text)));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
    if (failures.length === results.length) refused.push(`${placeOf(statement)}: ${failures.join(', ')}`);
    for (const result of results) {
      if (result.status === 'fulfilled') prepared.push({ statement, columns: result.value });
    }
  }
}

const isListed = (list: readonly { file: string; column: string }[], { file }: SqlStatement, column: string): boolean =>
  list.some((one) => one.file === file && one.column === column);

test('every statement of the server has a text in the source, except statements that a function passes on', () => {
  const unread = statements.filter(({ refusal }) => refusal !== undefined);
  const sorted = unread
    .map(({ file, code }) => ({ file, code }))
    .sort((a, b) => (a.file + a.code < b.file + b.code ? -1 : 1));
  expect(sorted).toEqual(PASSED_ON);
});

test('Postgres prepares every statement of the server', () => {
  expect(refused).toEqual([]);
  expect(statements.length).toBeGreaterThan(500);
});

test('the columns of every statement have the names, types and nullability of the row type', () => {
  const differences = prepared.flatMap(({ statement, columns }) =>
    differencesOf(statement, columns, (column) => isListed(NEVER_NULL, statement, column)).map(
      (difference) => `${placeOf(statement)}: ${difference}`,
    ),
  );
  expect([...new Set(differences)]).toEqual([]);
  expect(prepared.filter(({ statement }) => statement.row).length).toBeGreaterThan(350);
});

test('a row type allows null only for a column that is null in one of its statements', () => {
  const declared = new Map<string, { canBeNull: boolean; place: string }>();
  for (const { statement, columns } of prepared) {
    for (const { name, declaration, isNullable } of statement.row ?? []) {
      const column = columns.find((one) => one.name === name);
      if (!isNullable || isListed(WIDER, statement, name)) continue;
      const known = declared.get(declaration) ?? { canBeNull: false, place: `${placeOf(statement)}: ${name}` };
      // JSON has a null of its own.
      known.canBeNull ||= !column || column.isNullable || column.kind === 'json';
      declared.set(declaration, known);
    }
  }
  expect([...declared.values()].filter(({ canBeNull }) => !canBeNull).map(({ place }) => place)).toEqual([]);
  expect(declared.size).toBeGreaterThan(100);
});

test('each listed column differs from its row type', () => {
  const isNeeded = (
    list: readonly { file: string; column: string }[],
    differs: (member: RowMember, column: Column) => boolean,
  ): unknown[] =>
    list.filter((one) =>
      prepared.every(({ statement, columns }) => {
        const member = statement.row?.find(({ name }) => name === one.column);
        const column = columns.find(({ name }) => name === one.column);
        return statement.file !== one.file || !member || !column || !differs(member, column);
      }),
    );
  expect(isNeeded(NEVER_NULL, (member, column) => column.isNullable && !member.isNullable)).toEqual([]);
  expect(isNeeded(WIDER, (member, column) => member.isNullable && !column.isNullable)).toEqual([]);
});

const APP = {
  added: [],
  row: ['app_id', 'name', 'erase_at'].map((name) => ({
    name,
    declaration: name,
    kinds: [name === 'erase_at' ? 'Date' : 'string'],
    isNullable: name === 'erase_at',
    isOptional: false,
  })),
} satisfies Pick<SqlStatement, 'row' | 'added'>;

test.each([
  ['no difference', 'select app_id, name, erase_at from apps', []],
  [
    'a wrong name',
    'select app_id, name as title, erase_at from apps',
    ['name is not selected', 'title is not in the row type'],
  ],
  ['a wrong type', 'select app_id, 1 as name, erase_at from apps', ['name is number and not string']],
  [
    'an expression that can be null',
    "select app_id, nullif(name, '') as name, erase_at from apps",
    ['name can be null'],
  ],
  [
    'the nullable side of an outer join',
    'select a.app_id, b.name, a.erase_at from apps a left join apps b on b.app_id = a.app_id and b.standing = $1',
    ['name can be null'],
  ],
  [
    'an outer join that a condition makes an inner join',
    'select a.app_id, b.name, a.erase_at from apps a left join apps b on b.app_id = a.app_id where b.standing = $1',
    [],
  ],
  [
    'an aggregate without rows',
    'select $1::text as app_id, max(name) as name, null::timestamptz as erase_at from apps',
    ['name can be null'],
  ],
  [
    'an aggregate of a group',
    'select app_id, max(name) as name, min(erase_at) as erase_at from apps group by app_id',
    [],
  ],
])('the comparison finds %s', async (_, sql, expected) => {
  const reader = await readerOn((databases[0] as TestDatabase).superuser); // beforeAll makes two
  const columns = await columnsOf(reader, { sql, parameters: ['value'] });
  expect(differencesOf(APP, columns)).toEqual(expected);
});
