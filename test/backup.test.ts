// Backup and restore as an operator runs them: during load, into another kind of database, and back.
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { type ExternalPostgres, startExternalPostgres } from './external-postgres.ts';
import { createInstance, type Run, type SlipwayInstance, until } from './slipway.ts';
import { createTicket, firstServerId, listServers, readNote, send, signIn } from './visitor.ts';

const PASSPHRASE = 'a passphrase for tests, of no other use';

let source: SlipwayInstance;
let run: Run;
let key: string;
let files: string;
let journal: string;
const instances: SlipwayInstance[] = [];
let external: ExternalPostgres;

async function newInstance(): Promise<SlipwayInstance> {
  const instance = await createInstance();
  instances.push(instance);
  return instance;
}
beforeAll(async () => {
  [source, external] = await Promise.all([newInstance(), startExternalPostgres()]);
  files = join(dirname(source.dataDir), 'backups');
  mkdirSync(files);
  writeFileSync(join(files, 'passphrase'), `${PASSPHRASE}\n`);
  journal = join(files, 'journal');
  run = source.start({ SLIPWAY_SANDBOX_REVOCATION_JOURNAL: journal });
  await run.ready;
  key = readNote(source).key ?? '';
  await beginJournal();
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.remove()));
  await external.remove();
});

/** Revokes a key, which creates the first line of the journal. */
async function beginJournal(): Promise<void> {
  const { cookie } = await signIn(source, readNote(source).link);
  const post = <Body>(path: string, body: unknown) => send<Body>(`${source.consoleUrl}/api${path}`, body, { cookie });
  const organisation = await post<{ id: string }>('/organisations', { name: 'Harbour Tools' });
  const apps = `/sandbox/organisations/${organisation.body.id}/apps`;
  const app = await post<{ id: string }>(apps, { name: 'Ticket bridge' });
  const keys = `${apps}/${app.body.id}/keys`;
  const created = await post<{ key: { id: string } }>(keys, {
    name: 'Old',
    scopes: ['servers:read'],
    expiresInDays: 7,
  });
  expect((await post(`${keys}/${created.body.key.id}/revoke`, {})).status).toBe(200);
  await until(() => existsSync(journal) && readFileSync(journal, 'utf8').includes('key.revoked'));
}

interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command. Standard input receives the passphrase; a command that names a file ignores it. */
async function command(
  instance: SlipwayInstance,
  args: string[],
  settings = {},
  passphrase = PASSPHRASE,
): Promise<CommandResult> {
  const started = instance.start(settings, args);
  started.child.stdin?.on('error', () => {}); // a command that refuses does not read it
  started.child.stdin?.end(passphrase);
  return { code: await started.exited, stdout: started.stdout(), stderr: started.stderr() };
}

async function onDatabases<T>(
  instance: SlipwayInstance,
  look: (urlOf: (name: string) => string) => Promise<T>,
): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataDir: instance.dataDir, log: () => {} });
  try {
    return await look((name) => postgres.connection('postgres', postgres.superuserPassword, name));
  } finally {
    await postgres.stop();
  }
}

async function queryAt<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

// Tables that a restore changes deliberately, or that belong to processes.
const CHANGED = ['facts', 'plane_state', 'schema_migrations', 'standing_receipts', 'stops', 'workers'];
/** A backup contains no captures. */
const CAPTURES = ['capture_contents', 'capture_gaps', 'capture_keys', 'captures'];
const NOT_COMPARED = [...CHANGED, ...CAPTURES];

/** Returns each table with the number of its rows and their checksum. */
async function contentOf(url: string): Promise<string[]> {
  const tables = await queryAt<{ name: string; columns: string }>(
    url,
    `select c.relname as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped and atttypid <> 'xid8'::regtype
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition group by 1 order by 1`,
  );
  const compared = tables.filter(({ name }) => !NOT_COMPARED.includes(name));
  const sums = compared.map(async ({ name, columns }) => {
    const [row] = await queryAt<{ sum: string }>(
      url,
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as sum
       from (select ${columns} from "${name}") t`,
    );
    return `${name} ${row?.sum}`;
  });
  return Promise.all(sums);
}

const contentsOf = async (urlOf: (name: string) => string): Promise<string[][]> => [
  await contentOf(urlOf('slipway_sandbox')),
  await contentOf(urlOf('slipway_console')),
];

test('a backup during load is consistent: each ticket has its event, its delivery and its stored response', async () => {
  const serverId = await firstServerId(source, key);
  let ticketCount = 0;
  let isOver = false;
  const create = async (): Promise<void> => {
    while (!isOver) {
      const number = ticketCount++;
      const ticket = { serverId, subject: `Load ${number}`, idempotencyKey: `load-${number}` };
      await createTicket(source, key, ticket);
    }
  };
  const load = [create(), create(), create(), create()];
  await until(() => ticketCount > 40);
  const file = join(files, 'load.slipway');
  const taken = await command(source, ['backup', file]);
  const countBefore = ticketCount;
  await until(() => ticketCount > countBefore);
  isOver = true;
  await Promise.all(load);
  expect(taken).toMatchObject({ code: 0, stderr: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).includes(key)).toBe(false);

  const target = await newInstance();
  expect(await command(target, ['restore', file])).toMatchObject({ code: 0, stderr: '' });
  const [counts] = await onDatabases(target, (urlOf) =>
    queryAt<Record<string, number>>(
      urlOf('slipway_sandbox'),
      `with made as (select app_id, ticket_id from tickets where subject like 'Load %')
       select (select count(*)::int from made) as tickets,
         (select count(*)::int from made m join events e on e.app_id = m.app_id and e.subject_id = m.ticket_id
           where e.type = 'ticket.created') as events,
         (select count(*)::int from made m join events e on e.app_id = m.app_id and e.subject_id = m.ticket_id
           join deliveries d on d.app_id = e.app_id and d.event_id = e.event_id where e.type = 'ticket.created') as deliveries,
         (select count(*)::int from idempotency_keys where body like '%"Load %') as answers`,
    ),
  );
  const { tickets = 0 } = counts ?? {};
  expect(tickets).toBeGreaterThan(20);
  expect(tickets).toBeLessThan(ticketCount);
  expect(counts).toEqual({ tickets, events: tickets, deliveries: tickets, answers: tickets });
});

test('a backup of a stopped installation can be restored on an operator’s Postgres with the same secrets, and works', async () => {
  // During a rotation: the restored installation needs the earlier secrets and starts with the new ones.
  for (const name of ['rotate-pepper', 'rotate-master-key']) {
    expect(await command(source, [name])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is now version 2'),
    });
  }
  run.child.kill('SIGTERM');
  expect(await run.exited).toBe(0);
  const file = join(files, 'whole.slipway');
  const args = ['--passphrase-file', join(files, 'passphrase')];
  expect(await command(source, ['backup', file, ...args], {}, '')).toMatchObject({ code: 0, stderr: '' });
  expect((await command(source, ['backup', file, ...args])).stderr).toMatch(/exists already\.$/m);
  const [before, epoch] = await onDatabases(source, async (urlOf) => [
    await contentsOf(urlOf),
    await queryAt(urlOf('slipway_sandbox'), 'select restore_epoch from plane_state'),
  ]);

  const target = await newInstance();
  const restored = await command(target, ['restore', file, ...args], external.settings, '');
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  const urlOf = (name: string): string => Object.assign(new URL(external.superuserUrl), { pathname: `/${name}` }).href;
  expect(await contentsOf(urlOf)).toEqual(before);
  expect(before.flat().length).toBeGreaterThan(50);
  expect(await queryAt(urlOf('slipway_sandbox'), 'select restore_epoch from plane_state')).not.toEqual(epoch);
  // This Postgres has counted fewer transactions. An event of a future transaction would never appear in the feed.
  const future = 'select count(*)::int as events from events where xact >= pg_snapshot_xmin(pg_current_snapshot())';
  expect(await queryAt(urlOf('slipway_sandbox'), future)).toEqual([{ events: 0 }]);
  const unprotected = `select relname from pg_class where relnamespace = 'public'::regnamespace and not relispartition
    and (relrowsecurity <> relforcerowsecurity or exists (
      select from pg_trigger where tgrelid = pg_class.oid and tgenabled <> 'O'))`;
  for (const name of ['slipway_sandbox', 'slipway_console'])
    expect(await queryAt(urlOf(name), unprotected)).toEqual([]);

  const again = await command(target, ['restore', file, ...args], {
    ...external.settings,
    SLIPWAY_DATA_DIR: `${target.dataDir}2`,
  });
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/has content already/)]);
  await target.start(external.settings).ready;
  expect(await listServers(target, key)).toMatchObject({
    status: 503,
    body: { code: 'unavailable', detail: expect.stringMatching(/restored from a backup and is closed/) },
  });
  expect((await fetch(`${target.consoleUrl}/api/session`)).status).toBe(503);
  const reopen = ['reopen', '--owners', join(files, 'owners'), '--journal', journal];
  const dryRun = await command(target, reopen, external.settings);
  expect(dryRun).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Sandbox: would apply 0 lines of the journal. .*\nConsole: would end /),
  });
  expect(await command(target, [...reopen, '--yes'], external.settings)).toMatchObject({ code: 0, stderr: '' });
  // The next lease of the Console opens access, after the environment has received the status of each organisation.
  const listed = await until(async () => {
    const answer = await listServers(target, key);
    return answer.status === 200 && answer;
  });
  const serverId = listed.body.data[0]?.id ?? '';
  const same = { serverId, subject: 'Load 1', idempotencyKey: 'load-1' };
  expect((await createTicket(target, key, same)).headers.get('idempotent-replayed')).toBe('true');
  const feed = await fetch(`${target.apiUrl}/v1/events?limit=100`, { headers: { authorization: `Bearer ${key}` } });
  expect(await feed.text()).toContain('Load 1');
  const ticket = await createTicket(target, key, { serverId, subject: 'After', idempotencyKey: 'after' });
  expect(ticket.status).toBe(201);
  await until(async () => (await (await fetch(`${target.receiverUrl}/received`)).text()).includes('After'));
  await until(async () => {
    const sealed = 'select distinct master_key_of(sealed_secret) as under from endpoints';
    return (await queryAt<{ under: string }>(urlOf('slipway_sandbox'), sealed)).every(({ under }) => under === 'm2');
  });
});

test('an incomplete backup or a wrong passphrase restores nothing, and an existing installation is never overwritten', async () => {
  const file = join(files, 'load.slipway');
  const target = await newInstance();
  const other = await command(target, ['restore', file], {}, 'another passphrase for tests');
  expect([other.code, other.stderr]).toEqual([1, expect.stringMatching(/^slipway: The passphrase is wrong/)]);
  const cut = join(files, 'cut.slipway');
  writeFileSync(cut, readFileSync(file).subarray(0, -100));
  const short = await command(target, ['restore', cut]);
  expect([short.code, short.stderr]).toEqual([1, expect.stringMatching(/^slipway: The file .*cut off/)]);
  const astray = await command(source, ['backup', join(files, 'nowhere', 'load.slipway')]);
  expect([astray.code, astray.stderr]).toEqual([
    1,
    expect.stringMatching(/^slipway: .*load\.slipway cannot be written: .*ENOENT/),
  ]);
  const brief = await command(target, ['restore', file], {}, 'short');
  expect([brief.code, brief.stderr]).toEqual([1, expect.stringMatching(/fewer than 12 characters/)]);
  expect(existsSync(target.dataDir)).toBe(false);
  const taken = await command(source, ['restore', file]);
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringMatching(/There is an installation in .* already/)]);
  expect(realpathSync(source.dataDir)).toBe(source.dataDir);
});
