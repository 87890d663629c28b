// Two independent isolation layers separate tenants. Without the operations' own conditions Postgres shows nothing, and
// without row-level security the operations do not ask for other tenants' rows.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fromId, newUuid } from '../src/kit/crypto/ids.ts';
import type { Sql } from '../src/kit/db/sql.ts';
import { type Answer, type Sandbox, startSandbox } from './app.ts';
import { callOperation, inOrder, type PopulatedApp, populateApp } from './every-operation.fixture.ts';
import { collectIds } from './fuzz/collected-ids.ts';
import { issuedStatements } from './issued-statements.ts';

interface IssuedStatement {
  role: string;
  statement: Sql;
}

// Records every statement that the server sends.
vi.mock('../src/kit/db/db-batch.ts', async (original) =>
  (await import('./issued-statements.ts')).recordStatements(await original()),
);

let sandbox: Sandbox;
let a: PopulatedApp;
let b: PopulatedApp;
let statements: IssuedStatement[];
const idsOfA = new Set<string>();
const idsOf = (text: string): string[] => text.match(/\b(?!req_)[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g) ?? [];
// Its response consists of examples.
const isContract = (operationId: string): boolean => ['getOpenapi', 'getContract'].includes(operationId);
const answered = new Map<string, number>();

beforeAll(async () => {
  sandbox = await startSandbox();
  b = await populateApp(sandbox, newUuid());
  issuedStatements.length = 0;
  a = await populateApp(sandbox, sandbox.organisationId);
  for (const operation of inOrder) {
    const { status, body, text } = await callOperation(sandbox, operation, a, a);
    a.harvest.add(operation.id, body);
    if (!isContract(operation.id)) for (const id of idsOf(text)) idsOfA.add(id);
    answered.set(operation.id, status);
  }
  statements = [...issuedStatements];
});
afterAll(() => sandbox.close());

// These operations need a key's text, a signature, or a key that expires soon; each has its own tests.
const UNCALLED_OPERATIONS = ['reportLeakedKey', 'reportGithubMatches', 'readNotice'];

test('every operation was called successfully', () => {
  const refused = [...answered].filter(([id, status]) => status >= 300 && !UNCALLED_OPERATIONS.includes(id));
  expect(refused).toEqual([]);
});
const TENANT_ROLES = ['slipway_api', 'slipway_manager'];

interface Outcome {
  /** The non-empty values of all rows. */
  found: unknown[];
  written: number;
  refused: string | undefined;
}

/** Runs a statement again, alone, in a transaction of this tenant that is rolled back. */
async function replay(
  { role, statement }: IssuedStatement,
  as: { appId: string; organisationId: string },
): Promise<Outcome> {
  const { superuser } = sandbox.database;
  const before = await countWritten();
  await superuser.query(`begin; set local role ${role};
    select set_config('slipway.app_id', '${as.appId}', true), set_config('slipway.organisation_id', '${as.organisationId}', true)`);
  try {
    const { rows } = await superuser.query(statement.text, [...statement.values]);
    await superuser.query('reset role');
    const foreignValues = rows
      .flatMap((row) => Object.values(row))
      .filter((value) => value !== null && !EMPTY.has(String(value)));
    return { found: foreignValues, written: (await countWritten()) - before, refused: undefined };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { found: [], written: 0, refused: code };
  } finally {
    await superuser.query('rollback');
  }
}

/** Returns the number of rows that this connection has written, including rolled-back ones. */
async function countWritten(): Promise<number> {
  const { rows } = await sandbox.database.superuser.query<{ written: number }>(
    'select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as written from pg_stat_xact_user_tables where not relname = any($1)',
    [TABLES_WITHOUT_TENANT],
  );
  return rows[0]?.written ?? 0;
}

// Values of an empty result: no counted rows, no existing object, no lock.
const EMPTY = new Set(['', '0', 'false']);
// Tables without tenant data: barriers and workers.
const TABLES_WITHOUT_TENANT = ['stops', 'workers'];

// Statements without tables, the bounds of partitions and the public keys of receipts, which concern all tenants.
const STATEMENTS_WITHOUT_TABLE =
  /^\s*(begin|commit|rollback|select (lower_bound as "from", |lower_bound from partition_bounds\('events'\)|public_key from receipt_keys|clock_timestamp\(\) as at$|set_config|(nth, [\w(]*( and )?)?pg_try_advisory_xact_lock|pg_advisory_xact_lock\(hash|pg_notify))/;

test('a statement of any store finds nothing and writes nothing inside another tenant', async () => {
  const distinct = new Map(statements.map((one) => [`${one.role} ${one.statement.text}`, one]));
  const tenants = [...distinct.values()].filter(
    ({ role, statement }) => TENANT_ROLES.includes(role) && !STATEMENTS_WITHOUT_TABLE.test(statement.text),
  );
  const own = { appId: fromId('app', a.appId) ?? '', organisationId: a.organisationId };
  const foreign = { appId: fromId('app', b.appId) ?? '', organisationId: b.organisationId };
  const breaks: unknown[] = [];
  let working = 0;
  for (const one of tenants) {
    const inside = await replay(one, own);
    if (inside.found.length > 0 || inside.written > 0) working += 1;
    const { found, written, refused } = await replay(one, foreign);
    const isRefusal = refused === undefined || /^(42501|23...)$/.test(refused);
    if (found.length > 0 || written > 0 || !isRefusal)
      breaks.push({ ...one.statement, role: one.role, found, written, refused });
  }
  expect(breaks).toEqual([]);
  expect(working / tenants.length).toBeGreaterThan(0.5);
});

describe('operations without row-level security', () => {
  beforeAll(async () => {
    const { superuser } = sandbox.database;
    const { rows } = await superuser.query<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace",
    );
    for (const { name } of rows) await superuser.query(`alter table ${name} disable row level security`);
    // Row-level security is off: a statement without a tenant now sees both tenants.
    const seen = await superuser.query('begin; set local role slipway_api; select app_id from apps; rollback');
    expect((seen as unknown as { rows: unknown[] }[])[2]?.rows.length).toBeGreaterThan(1);
  });
  const without = (answer: Answer): string => answer.text.replace(String(answer.body?.requestId), '');
  // A deprecation is a part of the contract, which is the same for all tenants, like a scope and an operation.
  const about = inOrder.filter(({ path }) => /\{(?!organisationId|slug|deprecationId)\w+\}/.test(path));

  // This test runs first, because later requests of the tenant name foreign objects.
  test('no list and no other read contains data of another tenant', async () => {
    expect(idsOfA.size).toBeGreaterThan(50);
    for (const operation of inOrder.filter(({ id, method }) => method === 'GET' && !isContract(id))) {
      const { text } = await callOperation(sandbox, operation, b, b);
      expect([operation.id, idsOf(text).filter((id) => idsOfA.has(id))]).toEqual([operation.id, []]);
    }
  });

  test.each(
    about.map((operation) => [operation.id, operation] as const),
  )('%s responds to a foreign object as to a missing one', async (_, operation) => {
    const none = collectIds();
    const foreign = await callOperation(sandbox, operation, b, a);
    const missing = await callOperation(sandbox, operation, b, { harvest: none });
    expect([foreign.status, without(foreign)]).toEqual([404, without(missing)]);
    if (operation.access.security !== 'assertion') return;
    // Also within the caller's own app, with an object of the other app.
    const mixed = (of: Pick<PopulatedApp, 'harvest'>): Pick<PopulatedApp, 'harvest'> => ({
      harvest: { ...of.harvest, known: (prefix, at) => (prefix === 'app' ? b : of).harvest.known(prefix, at) },
    });
    if (!/\{(?!organisationId|appId|scope|operationId|deprecationId)\w+\}/.test(operation.path)) return;
    const inside = await callOperation(sandbox, operation, b, mixed(a));
    const nothing = await callOperation(sandbox, operation, b, mixed({ harvest: none }));
    expect([inside.status, without(inside)]).toEqual([404, without(nothing)]);
  });

  test.each(['createEndpoint', 'createCall'])('%s refuses a key of another app', async (id) => {
    const operation = inOrder.find((one) => one.id === id);
    if (!operation) throw new Error(`There is no operation ${id}.`);
    const known = { ...a.harvest, known: b.harvest.known };
    expect((await callOperation(sandbox, operation, b, { harvest: known })).status).toBe(400);
  });

  test('an endpoint accepts no key of another app at any place of its keys', async () => {
    const manage = <Body>(method: string, path: string, body: object) =>
      sandbox.manage<Body>(method, `/apps/${b.appId}${path}`, body, { organisationId: b.organisationId });
    const newKey = async (): Promise<string> => {
      const input = { name: 'A key', scopes: ['events:read'], expiresInDays: 1 };
      return (await manage<{ key: { id: string } }>('POST', '/keys', input)).body.key.id;
    };
    const [own, other] = [await newKey(), await newKey()];
    // A valid key: the owner of the first app has ended that app and its keys by now.
    const { id: foreign } = await (await sandbox.newApp(newUuid())).key();
    const input = { url: 'https://bridge.example.org/hooks', eventTypes: ['ticket.created'] };
    const made = await manage<{ endpoint: { id: string } }>('POST', '/endpoints', { ...input, keyIds: [own, other] });
    expect(made.status).toBe(201);
    for (const keyIds of [[foreign], [foreign, own], [own, foreign], [own, other, foreign]]) {
      expect((await manage('POST', '/endpoints', { ...input, keyIds })).status).toBe(400);
      expect((await manage('PATCH', `/endpoints/${made.body.endpoint.id}`, { keyIds })).status).toBe(400);
    }
    const named = 'select from endpoints where app_id = $1 and (key_id = $2 or $2 = any(further_key_ids))';
    const values = [fromId('app', b.appId), fromId('key', foreign)];
    expect((await sandbox.database.superuser.query(named, values)).rows).toEqual([]);
  });
});
