// A reader of an export or of the database can detect each change of the audit log without trust in the operator.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { verifyAudit } from '../../commands/verify-audit.ts';
import { readConfig } from '../../config/config.ts';
import { type AuditLogEntry, toChainedEntry } from '../../inspector/audit-log/audit-log-entry.ts';
import { databaseSource, exportLines, splitLines, verifyExport } from '../../inspector/audit-log/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { setOrganisation } from '../authority/index.ts';
import { hashAuditEntry } from './audit-entry.ts';
import { appendAuditEntry } from './index.ts';

let sandbox: Sandbox;
let lines: string[];

const collect = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const line of exportLines(databaseSource(sandbox.plane.db.manager, 'sandbox', sandbox.organisationId))) {
    found.push(line);
  }
  return found;
};

beforeAll(async () => {
  sandbox = await startSandbox();
  const app = await sandbox.newApp();
  // More entries than a page of an export.
  await sandbox.plane.db.manager.transaction(async (tx) => {
    setOrganisation(tx, sandbox.organisationId);
    const entry = {
      organisationId: sandbox.organisationId,
      actor: { kind: 'person', id: 'p', name: 'imke@example.org' },
    } as const;
    const rest = { appId: fromId('app', app.id) ?? '', requestId: 'req', clientAddress: '192.0.2.7' };
    for (let share = 0; share < 104; share++) {
      appendAuditEntry(tx, { ...entry, ...rest, action: 'fault.create', target: 'a fault', detail: { share } });
    }
  });
  const key = await app.key();
  await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
  lines = await collect();
});
afterAll(() => sandbox.close());

async function* streamOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 1000) yield text.slice(at, at + 1000);
}
const verify = (changed: readonly string[], known: { sequence: number; hash: string }[] = []) =>
  verifyExport(splitLines(streamOf(`${changed.join('\n')}\n`)), known);
const entryAt = (line: number): AuditLogEntry => JSON.parse(lines[line - 1] ?? '');
const change = (line: number, to: (entry: AuditLogEntry) => object): string[] =>
  lines.map((text, at) => (at === line - 1 ? JSON.stringify(to(JSON.parse(text))) : text));
/** Returns the entry with a matching hash, like an attacker who knows how hashes are calculated. */
const rehash = (entry: AuditLogEntry): AuditLogEntry => {
  const chained = toChainedEntry(entry, sandbox.organisationId);
  return chained ? { ...entry, hash: hashAuditEntry(chained) } : entry;
};

test('verification accepts an unchanged export and returns its head', async () => {
  const last = entryAt(lines.length);
  expect(last.action).toBe('key.revoke');
  const whole = { chain: 'sandbox', organisationId: sandbox.organisationId, isSelection: false };
  const head = { sequence: last.sequence, hash: last.hash };
  expect(await verify(lines, [head])).toEqual({ whole: [{ ...whole, entries: lines.length - 1, head }] });
});

describe('verification rejects an export', () => {
  test.each([2, 3, 60])('without line %i', async (line) => {
    const result = await verify(lines.toSpliced(line - 1, 1));
    expect(result).toMatchObject({ broken: { line, reason: expect.stringContaining('was expected') } });
  });

  test('without an entry whose successors were renumbered', async () => {
    const [head = '', ...entries] = lines.toSpliced(3, 1);
    const renumbered = entries.map((text, at) => JSON.stringify({ ...JSON.parse(text), sequence: at + 1 }));
    expect(await verify([head, ...renumbered])).toMatchObject({
      broken: { line: 4, reason: expect.stringContaining('the previous entry') },
    });
  });

  const changes: [string, (entry: AuditLogEntry) => object][] = [
    ['the time', (entry) => ({ ...entry, at: entry.at.replace(/\dZ$/, (end) => `${(Number(end[0]) + 1) % 10}Z`) })],
    ['the actor', (entry) => ({ ...entry, actor: { ...entry.actor, name: 'nobody@example.org' } })],
    ['the kind of the actor', (entry) => ({ ...entry, actor: { ...entry.actor, kind: 'machine' } })],
    ['the id of the actor', (entry) => ({ ...entry, actor: { ...entry.actor, id: null } })],
    ['the action', (entry) => ({ ...entry, action: 'fault.delete' })],
    ['the target', (entry) => ({ ...entry, target: 'else' })],
    ['the app', (entry) => ({ ...entry, appId: null })],
    ['the detail', (entry) => ({ ...entry, detail: { ...entry.detail, share: 'x' } })],
    ['the request', (entry) => ({ ...entry, requestId: null })],
    ['the address', (entry) => ({ ...entry, clientAddress: '192.0.2.8' })],
    ['the identifier', (entry) => ({ ...entry, id: toId('aud', sandbox.organisationId) })],
    ['the previous hash', (entry) => ({ ...entry, previousHash: entry.hash })],
    ['the hash', (entry) => ({ ...entry, hash: entry.previousHash })],
    ['an additional field', (entry) => ({ ...entry, note: 'harmless' })],
    ['the chain', (entry) => ({ ...entry, chain: 'console' })],
  ];
  test.each(changes)('with a changed field: %s', async (_, to) => {
    expect(await verify(change(40, to))).toMatchObject({ broken: { line: 40 } });
  });

  test('with an entry that was changed and rehashed', async () => {
    const changed = change(40, (entry) => rehash({ ...entry, actor: { ...entry.actor, name: 'nobody@example.org' } }));
    expect(await verify(changed)).toMatchObject({
      broken: { line: 41, reason: expect.stringContaining('the previous entry') },
    });
  });

  test('with a duplicate field', async () => {
    const twice = lines.with(39, (lines[39] ?? '').replace('"action":', '"action":"key.create","action":'));
    expect(await verify(twice)).toMatchObject({
      broken: { line: 40, reason: 'the line does not have the form of an exported entry' },
    });
  });

  test('with two swapped entries', async () => {
    const swapped = lines.with(10, lines[11] ?? '').with(11, lines[10] ?? '');
    expect(await verify(swapped)).toMatchObject({ broken: { line: 11 } });
  });

  test('with an inserted entry', async () => {
    const { hash, sequence, ...rest } = entryAt(30);
    const forged = rehash({ ...rest, action: 'key.revoke', previousHash: hash, sequence: sequence + 1, hash });
    expect(await verify(lines.toSpliced(30, 0, JSON.stringify(forged)))).toMatchObject({ broken: { line: 32 } });
    expect(await verify([...lines, lines[50] ?? ''])).toMatchObject({ broken: { line: lines.length + 1 } });
  });

  test('that was truncated; a head that matches the truncation is rejected only with a known hash', async () => {
    const cut = lines.slice(0, -2);
    expect(await verify(cut)).toMatchObject({
      broken: { line: cut.length + 1, reason: expect.stringContaining('its head is') },
    });
    const newest = entryAt(cut.length);
    const head = { sequence: newest.sequence, hash: newest.hash };
    const fitted = cut.with(0, JSON.stringify({ ...JSON.parse(lines[0] ?? ''), head }));
    expect(await verify(fitted)).toHaveProperty('whole');
    const { sequence, hash } = entryAt(lines.length);
    expect(await verify(fitted, [{ sequence, hash }])).toMatchObject({
      broken: { reason: expect.stringContaining('known hash') },
    });
  });

  test('that was rewritten from an entry on, if a hash is known', async () => {
    const kept = entryAt(lines.length);
    let before = entryAt(80).previousHash;
    const forged = lines.map((text, at) => {
      if (at < 79) return text;
      const entry = rehash({ ...JSON.parse(text), previousHash: before, clientAddress: null });
      before = entry.hash;
      return JSON.stringify(entry);
    });
    const head = { sequence: kept.sequence, hash: before };
    const fitted = forged.with(0, JSON.stringify({ ...JSON.parse(lines[0] ?? ''), head }));
    expect(await verify(fitted)).toHaveProperty('whole');
    expect(await verify(fitted, [kept])).toMatchObject({ broken: { reason: expect.stringContaining('known hash') } });
  });

  test.each([
    ['nothing', []],
    ['entries without a head', ['1']],
    ['no JSON', ['{']],
  ])('that contains %s', async (_, text) => {
    expect(await verify(text)).toHaveProperty('broken');
  });
});

describe('verification rejects a database', () => {
  const verifyDatabase = () =>
    verifyExport(exportLines(databaseSource(sandbox.plane.db.manager, 'sandbox', sandbox.organisationId)));
  /** Runs statements as a superuser with the triggers switched off, and returns the result of the verification. */
  const tampered = async (...statements: string[]): Promise<unknown> => {
    const { superuser } = sandbox.database;
    await superuser.query('create table if not exists kept as select * from audit_entries');
    await superuser.query('set session_replication_role = replica');
    for (const statement of statements) await superuser.query(statement);
    const verdict = await verifyDatabase();
    await superuser.query('truncate audit_entries');
    await superuser.query('insert into audit_entries select * from kept');
    await superuser.query('reset session_replication_role');
    return verdict;
  };
  beforeEach(async () => expect(await verifyDatabase()).toHaveProperty('whole'));

  test.each([
    ['changed', ["update audit_entries set actor = 'nobody' where sequence = 7"], 8],
    ['given another time', ["update audit_entries set at = at - interval '1 microsecond' where sequence = 7"], 8],
    ['removed', ['delete from audit_entries where sequence = 7'], 8],
    [
      'removed at the end',
      ['delete from audit_entries where sequence = (select max(sequence) from audit_entries)'],
      108,
    ],
    [
      'moved to another organisation',
      ['update audit_entries set organisation_id = gen_random_uuid() where sequence = 7'],
      8,
    ],
    [
      'swapped with another entry',
      [
        'update audit_entries set sequence = -1 where sequence = 7',
        'update audit_entries set sequence = 7 where sequence = 8',
        'update audit_entries set sequence = 8 where sequence = -1',
      ],
      8,
    ],
  ])('in which an entry was %s', async (_, statements, line) => {
    expect(await tampered(...statements)).toMatchObject({ broken: { line } });
  });
});

describe('the command', () => {
  test('reports intact chains, and the first broken line of a broken export', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-audit-'));
    const file = join(folder, 'audit.ndjson');
    const run = async (...args: string[]): Promise<[boolean, string]> => {
      const printed: string[] = [];
      const isWhole = await verifyAudit(args, readConfig({}), (line) => printed.push(line));
      return [isWhole, printed.join('\n')];
    };
    const { sequence, hash } = entryAt(lines.length);
    await writeFile(file, `${lines.join('\n')}\n`);
    const name = `sandbox, ${toId('org', sandbox.organisationId)}`;
    expect(await run(file)).toEqual([
      true,
      `${name}: ${sequence} entries, complete. Keep its head: ${sequence}:${hash}`,
    ]);
    expect(await run(file, '--head', `${sequence + 1}:${hash}`)).toMatchObject([
      false,
      expect.stringContaining('BROKEN'),
    ]);
    await writeFile(file, lines.toSpliced(9, 1).join('\n'));
    expect(await run(file)).toEqual([false, 'BROKEN at line 10: entry 10: its sequence is 10, but 9 was expected.']);
    await expect(run()).rejects.toThrow('Name an export file, or a database with --of and --organisation.');
    await expect(run(file, '--head', 'x')).rejects.toThrow('SEQUENCE:HASH');
    await expect(run(join(folder, 'none'))).rejects.toThrow('cannot be read');
    await rm(folder, { recursive: true });
  });

  test('verifies the chain of an organisation in a database', async () => {
    const config = readConfig({
      SLIPWAY_SANDBOX_DATABASE_URL: sandbox.database.url,
      SLIPWAY_CONSOLE_DATABASE_URL: 'postgres://127.0.0.1:1/none',
    });
    const printed: string[] = [];
    const args = ['--of', 'sandbox', '--organisation', toId('org', sandbox.organisationId)];
    expect(await verifyAudit(args, config, (line) => printed.push(line))).toBe(true);
    expect(printed.join()).toContain(`${lines.length - 1} entries, complete`);
  });
});
