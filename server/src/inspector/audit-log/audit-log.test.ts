// The audit log in the Console: entries of the Console and of the environments in one list, and its exports.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { csvRow } from '../../kit/text/csv.ts';
import { type AuditLogEntry, exampleEntry } from './audit-log-entry.ts';
import { exportEntries } from './chain-source.ts';
import { type ExportVerification, splitLines, verifyExport } from './index.ts';

let home: TestConsole;
let owner: TestVisitor;
let organisation: string;
let apps: string[];

interface Log {
  data: AuditLogEntry[];
  nextCursor: string | null;
  heads: Record<string, { sequence: number; hash: string } | null>;
}

beforeAll(async () => {
  home = await startConsole('remote');
  owner = (await home.newPerson()).visitor;
  organisation = (await owner.call<{ id: string }>('POST', '/api/organisations', { name: '=Harbour' })).body.id;
  apps = [];
  for (const name of ['=cmd|x!A1', '+1', '@SUM(1)', '-2', 'plain, "quoted"']) {
    const app = await owner.call<{ id: string }>('POST', `/api/sandbox/organisations/${organisation}/apps`, { name });
    apps.push(app.body.id);
    const email = `a-person-${apps.length}@example.org`;
    await owner.call('POST', `/api/organisations/${organisation}/invitations`, { email, role: 'viewer' });
  }
});
afterAll(() => home.close());

const read = (query = '', by = owner) => by.call<Log>('GET', `/api/organisations/${organisation}/audit-log${query}`);
const newest = (entries: AuditLogEntry[]): string[] => entries.map(({ at }) => at);

async function member(role: string): Promise<TestVisitor> {
  const { person, visitor } = await home.newPerson();
  await home.database.superuser.query(
    'insert into members (organisation_id, member_id, person_id, role) values ($1, gen_random_uuid(), $2, $3)',
    [fromId('org', organisation), person.id, role],
  );
  return visitor;
}

test('the audit log lists entries of the Console and the sandbox newest first, without gaps or repeats between pages', async () => {
  const whole = (await read('?limit=100')).body;
  expect(new Set(whole.data.map(({ chain }) => chain))).toEqual(new Set(['console', 'sandbox']));
  expect(newest(whole.data)).toEqual(newest(whole.data).toSorted().toReversed());
  expect(whole.data.length).toBe((whole.heads.console?.sequence ?? 0) + (whole.heads.sandbox?.sequence ?? 0));
  const pages: AuditLogEntry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: { body: Log } = await read(`?limit=2${cursor && `&cursor=${cursor}`}`);
    pages.push(...body.data);
    cursor = body.nextCursor;
    // An entry that is written meanwhile is on none of the following pages.
    if (pages.length === 2)
      await owner.call('POST', `/api/sandbox/organisations/${organisation}/apps`, { name: 'later' });
  }
  expect(pages.map(({ hash }) => hash)).toEqual(whole.data.map(({ hash }) => hash));
});

test('the audit log can be filtered by actor, action, target, app and time', async () => {
  const all = (await read('?limit=100')).body.data;
  const one = all.find(({ appId }) => appId === apps[2]);
  const of = async (query: string): Promise<string[]> =>
    (await read(`?limit=100&${query}`)).body.data.map(({ id }) => id);
  for (const { id } of all) expect(await of(`entryId=${id}`)).toEqual([id]);
  expect(await of(`entryId=${exampleEntry.id}`)).toEqual([]);
  const those = (is: (entry: AuditLogEntry) => boolean): string[] => all.filter(is).map(({ id }) => id);
  expect(await of('action=app.create')).toEqual(those(({ action }) => action === 'app.create'));
  expect(await of(`appId=${apps[2]}`)).toEqual([one?.id]);
  expect(await of(`target=${organisation}`)).toEqual(those(({ target }) => target === organisation));
  expect(await of(`actor=${all[0]?.actor.name}`)).toEqual(those(() => true));
  expect(await of('actor=nobody@example.org')).toEqual([]);
  const middle = all[4]?.at ?? '';
  expect(await of(`from=${middle}`)).toEqual(those(({ at }) => new Date(at) >= new Date(middle)));
  expect(await of(`to=${middle}`)).toEqual(those(({ at }) => new Date(at) < new Date(middle)));
  expect((await read('?from=2026-01-31T23:59:60Z')).status).toBe(400);
});

describe('access to the audit log', () => {
  const paths = ['audit-log', 'audit-log.ndjson', 'audit-log.csv'];
  test.each([
    ['owner', 200],
    ['admin', 200],
    ['auditor', 200],
    ['developer', 403],
    ['viewer', 403],
  ])('role %s gets status %i', async (role, status) => {
    const visitor = await member(role);
    for (const path of paths)
      expect((await visitor.call('GET', `/api/organisations/${organisation}/${path}`)).status).toBe(status);
    const plane = `/api/sandbox/organisations/${organisation}/audit-entries`;
    expect((await visitor.call('GET', plane)).status).toBe(status);
  });

  test('a person outside the organisation gets 404', async () => {
    const { visitor } = await home.newPerson();
    for (const path of paths)
      expect((await visitor.call('GET', `/api/organisations/${organisation}/${path}`)).status).toBe(404);
  });

  test('the log contains attempts that a member’s role does not allow, and no attempts of other people', async () => {
    const visitor = await member('viewer');
    await visitor.call('POST', `/api/sandbox/organisations/${organisation}/apps`, { name: 'Mine' });
    await visitor.call('POST', `/api/organisations/${organisation}/invitations`, {
      email: 'x@example.org',
      role: 'owner',
    });
    await (await home.newPerson()).visitor.call('GET', `/api/organisations/${organisation}/audit-log`);
    const { data } = (await read('?action=access.refused&limit=2')).body;
    expect(data.map(({ chain, detail, clientAddress }) => [chain, detail.action, clientAddress])).toEqual([
      ['console', 'members.invite', expect.stringMatching(/^192\.0\.2\./)],
      ['sandbox', 'apps.create', expect.stringMatching(/^192\.0\.2\./)],
    ]);
  });
});

describe('an export of the audit log', () => {
  const download = (path: string): Promise<{ status: number; text: string; headers: Headers }> =>
    owner.call('GET', `/api/organisations/${organisation}/audit-log${path}`);
  async function* piecesOf(text: string): AsyncGenerator<string> {
    yield text;
  }
  const verify = (text: string): Promise<ExportVerification> => verifyExport(splitLines(piecesOf(text)));

  test('an NDJSON export holds each chain in full and can be verified', async () => {
    const { text, headers } = await download('.ndjson');
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    const { heads } = (await read()).body;
    const chain = (name: string) => ({
      chain: name,
      head: heads[name],
      entries: heads[name]?.sequence,
      isSelection: false,
    });
    expect(await verify(text)).toMatchObject({ whole: [chain('console'), chain('sandbox')] });
    expect(await verify(text.replace('"name":"+1"', '"name":"+2"'))).toHaveProperty('broken');
  });

  test('a filtered export states that it is a selection', async () => {
    const { text } = await download('.ndjson?action=app.create');
    expect(await verify(text)).toMatchObject({ whole: [{ entries: 0, isSelection: true }, { isSelection: true }] });
  });

  test('a CSV export has no cell that a spreadsheet would run as a formula', async () => {
    const { text, headers } = await download('.csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = text.trimEnd().split('\r\n');
    const { heads } = (await read()).body;
    expect(rows).toHaveLength(1 + (heads.console?.sequence ?? 0) + (heads.sandbox?.sequence ?? 0));
    expect(rows[0]).toMatch(/^"chain","sequence","at",/);
    for (const row of rows) for (const cell of row.split('","')) expect(cell).not.toMatch(/^"?[=+\-@\t\r＝＋－＠]/);
  });

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
  ])('csvRow turns the formula %j into text', (text) => {
    expect(csvRow([text])).toBe(`"'${text}"\r\n`);
  });
  test('csvRow quotes characters that would end a cell', () => {
    expect(csvRow(['a"b,c\nd', 1, null])).toBe('"a""b,c\nd","1",""\r\n');
  });

  test('an export reads one page at a time, at the pace of its reader, and stops at the head that it began with', async () => {
    const reads: number[] = [];
    const entryAt = (sequence: number): AuditLogEntry => ({ ...exampleEntry, sequence });
    const { entries } = await exportEntries({
      chain: 'sandbox',
      organisationId: '',
      async read({ after = 0, limit }) {
        reads.push(after);
        const data = Array.from({ length: limit }, (_, at) => entryAt(after + at + 1));
        return { data, head: { sequence: 250 + after, hash: '' } };
      },
    });
    let seen = 0;
    for await (const { sequence } of entries) {
      seen += 1;
      expect(sequence).toBe(seen);
      expect(reads.length).toBe(Math.ceil(seen / 100));
    }
    expect(seen).toBe(250);
  });

  test('the audit log is refused with 503 if an environment cannot be reached', async () => {
    const site = await startConsole('remote', { link: async () => ({ status: 503, headers: {}, body: '' }) });
    const { visitor } = await site.newPerson();
    const made = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Elsewhere' });
    const answer = await visitor.call('GET', `/api/organisations/${made.body.id}/audit-log`);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    await site.close();
  });
});
