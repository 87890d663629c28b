// The audit log is one chain per organisation in each database. The database numbers, dates and hashes the entries, and
// rejects every change of an entry.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { cloneDatabase, type TestDatabase, until } from '../../../test/harness.ts';
import { runAsRole, SQLSTATES } from '../../../test/run-as-role.ts';
import { PLANE_ROLES } from '../../boot/provision.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { type Database, openDatabase, type Transaction } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import { setOrganisation } from '../authority/index.ts';
import { type AuditEntry, appendAuditEntry, createChainVerifier, listEntries } from './index.ts';

let sandbox: Sandbox;
let home: { database: TestDatabase; db: Database };

beforeAll(async () => {
  sandbox = await startSandbox();
  const database = await cloneDatabase('console');
  const db = openDatabase({ url: database.url, max: 5, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
  home = { database, db };
});
afterAll(async () => {
  await sandbox.close();
  await home.db.close();
  await home.database.drop();
});

const entryOf = (organisationId: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  organisationId,
  appId: null,
  actor: { kind: 'person', id: 'p1', name: 'imke@example.org' },
  action: 'thing.change',
  target: 'thing',
  detail: {},
  requestId: null,
  clientAddress: null,
  ...more,
});

const sides = [
  { name: 'a plane', open: () => ({ db: sandbox.plane.db.manager, superuser: sandbox.database.superuser }) },
  { name: 'the Console', open: () => ({ db: home.db, superuser: home.database.superuser }) },
];

describe.each(sides)('the audit chain in the database of $name', ({ open }) => {
  const append = (...entries: AuditEntry[]): Promise<void> =>
    open().db.transaction(async (tx) => {
      for (const entry of entries) {
        setOrganisation(tx, entry.organisationId);
        appendAuditEntry(tx, entry);
      }
    });
  const chain = (organisationId: string) =>
    open().db.transaction((tx) => {
      setOrganisation(tx, organisationId);
      return listEntries(tx, organisationId, { after: 0, limit: 1000 });
    });

  async function expectWhole(organisationId: string, length: number): Promise<void> {
    const check = createChainVerifier();
    const entries = await chain(organisationId);
    expect(entries.map((entry) => check.verifyNext(entry))).toEqual(entries.map(() => undefined));
    const { rows } = await open().superuser.query(
      "select sequence::int, encode(hash, 'hex') as hash from audit_heads where organisation_id = $1",
      [organisationId],
    );
    expect([rows[0], check.last()?.sequence]).toEqual([check.last(), length]);
  }

  test('has the same hash in the database and in Node for any text and any JSON', async () => {
    const organisationId = newUuid();
    const detail = { b: [1, 0.1, 1e21, 1e-7, null, true], a: { 'ü 💡': '"\\\n\u2028\u0001', 10: 1, 9: 2 }, z: '' };
    const odd = { target: '3:💡"\t', requestId: '-', clientAddress: '2001:db8::1', appId: newUuid(), detail };
    await append(entryOf(organisationId), entryOf(organisationId, odd), entryOf(organisationId));
    await expectWhole(organisationId, 3);
    expect((await chain(organisationId))[1]).toMatchObject(odd);
  });

  test('has no gap after concurrent changes of one organisation, also if some of them are rolled back', async () => {
    const organisationId = newUuid();
    const undone = (): Promise<void> =>
      open()
        .db.transaction(async (tx) => {
          setOrganisation(tx, organisationId);
          appendAuditEntry(tx, entryOf(organisationId));
          tx.sendLast(sql`select 1 / 0`);
        })
        .catch(() => {});
    // No more concurrent transactions than connections, so that no transaction waits for a connection.
    const appendEight = async (): Promise<void> => {
      for (let at = 0; at < 8; at++) await (at % 4 === 0 ? undone() : append(entryOf(organisationId)));
    };
    await Promise.all(Array.from({ length: 5 }, appendEight));
    await expectWhole(organisationId, 30);
  });

  test('is not locked while a transaction with an entry waits for another lock', async () => {
    const organisationId = newUuid();
    const { db, superuser } = open();
    const lock = sql`select pg_advisory_xact_lock(hashtextextended(${organisationId}, 0))`;
    const enter = (tx: Transaction): void => {
      setOrganisation(tx, organisationId);
      appendAuditEntry(tx, entryOf(organisationId));
    };
    const other = db.transaction(async (tx) => {
      await tx.query(lock);
      const waits = db.transaction(async (waiting) => {
        enter(waiting);
        await waiting.query(lock);
      });
      await until(async () => {
        const { rowCount } = await superuser.query(
          "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
        );
        return rowCount === 1;
      });
      enter(tx);
      await tx.query(sql`select 1`);
      return { waits };
    });
    await (await other).waits;
    await expectWhole(organisationId, 2);
  });

  test('rejects updates, deletions and truncation of entries, also by a superuser', async () => {
    const organisationId = newUuid();
    await append(entryOf(organisationId));
    for (const change of [
      "update audit_entries set actor = 'nobody'",
      "update audit_entries set hash = sha256('x')",
      'delete from audit_entries',
      'truncate audit_entries',
    ]) {
      const sqlState = await open()
        .superuser.query(change)
        .catch((error: { code: string }) => error.code);
      expect([change, sqlState]).toEqual([change, SQLSTATES.check]);
    }
    await expectWhole(organisationId, 1);
  });

  test('is erased as a whole with its organisation, and its head keeps the last sequence', async () => {
    const [erasedId, otherId] = [newUuid(), newUuid()];
    await append(entryOf(erasedId), entryOf(erasedId));
    await append(entryOf(otherId));
    await open().db.transaction(async (tx) => {
      setOrganisation(tx, erasedId);
      await tx.query(sql`select erase_audit_chain(${erasedId})`);
    });
    expect(await chain(erasedId)).toEqual([]);
    await expectWhole(otherId, 1);
    const { rows } = await open().superuser.query(
      'select sequence::int, erased_at is not null as erased from audit_heads where organisation_id = $1',
      [erasedId],
    );
    expect(rows).toEqual([{ sequence: 2, erased: true }]);
  });
});

test('both databases use the same functions to number, hash and protect audit entries', async () => {
  const text = `select proname, prosrc, prosqlbody::text is null as is_text, pg_get_functiondef(oid) as text from pg_proc
    where proname in ('audit_field', 'audit_hash', 'chain_audit_entry', 'keep_audited', 'erase_audit_chain') order by 1`;
  const [plane, console] = await Promise.all([
    sandbox.database.superuser.query<{ text: string }>(text),
    home.database.superuser.query<{ text: string }>(text),
  ]);
  expect(plane.rows).toHaveLength(5);
  // Only an environment has receipts of revocations, which are erased with the audit log.
  const receipts = '  delete from revocation_receipts where organisation_id = erased;\n';
  expect(plane.rows.filter(({ text }) => text.includes(receipts))).toHaveLength(1);
  expect(plane.rows.map(({ text }) => text.replace(receipts, ''))).toEqual(console.rows.map((row) => row.text));
});

describe('a role that may insert audit entries', () => {
  const columns = ['sequence', 'at', 'hash', 'previous_hash'];
  test.each(columns)('cannot choose the column %s of an entry', async (column) => {
    const organisationId = newUuid();
    const value = { sequence: '7', at: 'now()' }[column] ?? "sha256('x')";
    const outcome = await runAsRole(
      sandbox.database.superuser,
      { role: 'slipway_manager', organisationId },
      `insert into audit_entries (organisation_id, audit_id, actor_kind, actor, action, target, detail, ${column})
       values ($1, gen_random_uuid(), 'person', 'a', 'b', 'c', '{}', ${value})`,
      [organisationId],
    );
    expect(outcome).toEqual({ refused: SQLSTATES.privilege });
  });

  test.each(PLANE_ROLES)('the role %s cannot change the head of an audit chain', async (role) => {
    const stage = { role, organisationId: sandbox.organisationId };
    for (const change of [
      'update audit_heads set sequence = sequence - 1',
      'delete from audit_heads',
      'insert into audit_heads values (gen_random_uuid(), 1, now(), null)',
    ]) {
      expect(await runAsRole(sandbox.database.superuser, stage, change)).toEqual({ refused: SQLSTATES.privilege });
    }
  });

  test('cannot insert an entry into the chain of another organisation', async () => {
    const foreign = newUuid();
    const outcome = await runAsRole(
      sandbox.database.superuser,
      { role: 'slipway_manager', organisationId: sandbox.organisationId },
      `insert into audit_entries (organisation_id, audit_id, actor_kind, actor, action, target, detail)
       values ($1, gen_random_uuid(), 'person', 'a', 'b', 'c', '{}')`,
      [foreign],
    );
    expect(outcome).toEqual({ refused: SQLSTATES.privilege });
  });
});

test('an audit entry has the actor, the request id and the client address of its change', async () => {
  const app = await sandbox.newApp();
  const made = await sandbox.manage('POST', `/apps/${app.id}/keys`, {
    name: 'A key',
    preset: 'read-only',
    expiresInDays: 1,
  });
  const { rows } = await sandbox.database.superuser.query(
    'select actor_kind, actor_id, actor, request_id, client_address from audit_entries where request_id = $1',
    [made.headers.get('request-id')],
  );
  expect(rows).toEqual([
    {
      actor_kind: 'person',
      actor_id: 'person',
      actor: 'tester@example.org',
      request_id: made.headers.get('request-id'),
      client_address: '192.0.2.7',
    },
  ]);
});
