// Tests the activity of a key in the terminal: a member reads what was done with a key since a time, and exports it. Uses
// a real Console with a sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId, msOfUuid } from '../../server/src/kit/crypto/ids.ts';
import { until } from '../../server/test/harness.ts';
import { type Crane, openCrane } from './signed-out.ts';
import type { Terminal } from './terminal.ts';

let home: Crane;
let terminal: Terminal;
let keyId: string;
let servers: string[];
/** When the newest request arrived. */
let newestAt: string;

beforeAll(async () => {
  home = await openCrane();
  ({ terminal, keyId } = home);
  servers = (await terminal.run('installations list --json serverId')).lines().map((one) => String(one.serverId));
  const other = await terminal.run('keys create --name Other --preset everything --expires-in-days 1 --json key.id');
  await call('GET', '/v1/servers');
  await ticketOn(0, 'The crane does not turn');
  await ticketOn(0, 'Of the other key', String(other.lines()[0]?.['key.id']));
  const newest = await ticketOn(1, 'The gate is stuck');
  newestAt = new Date(msOfUuid(fromId('req', newest) ?? '')).toISOString();
  await until(async () => (await terminal.run('requests list --json id')).lines().length === 4);
});
afterAll(() => home.close());

async function call(method: string, path: string, body?: object, withKey = keyId): Promise<string> {
  const calls = `/api/sandbox${home.base.replace('/api', '')}/apps/${home.appId}/calls`;
  const input = { keyId: withKey, method, path, ...(body && { body: JSON.stringify(body) }) };
  const answer = await home.owner.visitor.call<{ requestId: string; status: number }>('POST', calls, input);
  expect(answer.body.status).toBeLessThan(300);
  return answer.body.requestId;
}

const ticketOn = (at: number, subject: string, withKey?: string): Promise<string> =>
  call('POST', `/v1/servers/${servers[at]}/tickets`, { subject, body: 'From a test.' }, withKey);

test('keys activity prints everything that was done with a key as JSON, and nothing of another key', async () => {
  const ran = await terminal.run(`keys activity ${keyId}`);
  expect([ran.code, ran.err]).toEqual([0, '']);
  const [activity] = ran.lines();
  expect(activity).toMatchObject({ keyId, requests: 3, lostRecords: 0, writesWithoutEvent: 0, progress: 1 });
  const entries = activity?.entries as { kind: string; name: string | null; count: number }[];
  const shown = entries.map(({ kind, name, count }) => [kind, String(name).replace(/^tkt_\w{26}$/, 'TICKET'), count]);
  expect(shown.filter(([kind]) => kind !== 'address' && kind !== 'member' && kind !== 'server')).toEqual([
    ['operation', 'createTicket', 2],
    ['operation', 'listServers', 1],
    ['event', 'ticket.created', 2],
    ['object', 'TICKET', 1],
    ['object', 'TICKET', 1],
  ]);
  expect(shown.filter(([kind]) => kind === 'server').toSorted()).toEqual(
    servers
      .slice(0, 2)
      .map((id) => ['server', id, 1])
      .toSorted(),
  );
  // A member made the calls.
  expect(shown.filter(([kind]) => kind === 'member')).toEqual([['member', home.owner.person.email, 3]]);
});

test('keys activity --since counts only later requests, and --csv prints a row for each entry', async () => {
  const later = (await terminal.run(`keys activity ${keyId} --since ${newestAt}`)).lines()[0];
  expect(later).toMatchObject({ requests: 1, since: newestAt });
  const table = await terminal.run(`keys activity ${keyId} --since ${newestAt} --csv`);
  const rows = table.out.trimEnd().split('\r\n');
  expect(rows).toHaveLength(1 + (later?.entries as unknown[]).length);
  expect(rows[0]).toBe('"kind","name","count","succeeded","firstAt","lastAt"');
  expect(rows.filter((row) => row.startsWith('"operation","createTicket","1","1",'))).toHaveLength(1);
  expect(table.err).toContain(`1 request since ${newestAt}.`);
});

test('keys activity shows a table on a terminal, with the gaps of the records below', async () => {
  const { code, out, err } = await terminal.run(`keys activity ${keyId}`, { isTerminal: true, columns: 200 });
  expect(code).toBe(0);
  expect(out).toMatch(/operation +createTicket +2 +2 /);
  expect(out).toMatch(/event +ticket\.created +2 /);
  expect(err).toMatch(
    /^3 requests since \S+Z\. The oldest record is of \S+Z\.\nRecords do not state which objects a read returned\.\n$/,
  );
});

test('a hostile name is no formula in a spreadsheet, and no command to a terminal', async () => {
  const hostile = '=cmd|"/c calc"!A1\u001b]0;owned\u0007\u202e';
  await home.site.plane.database.superuser.query('update request_records set called_by = $1', [hostile]);
  const line = `keys activity ${keyId} --csv`;
  const cell = `"member","'=cmd|""/c calc""!A1`;
  expect((await terminal.run(line)).out).toContain(`${cell}\u001b]0;owned\u0007\u202e","3",`);
  const shown = await terminal.run(line, { isTerminal: true });
  expect(shown.out).toContain(`${cell}${String.raw`\x1b]0;owned\x07\u{202e}`}","3",`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must have none of them
  expect(shown.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('keys activity reports an unknown key and an invalid time', async () => {
  expect((await terminal.run('keys activity key_01j9z3v8k6e5t8m2n4p6q8r0s7')).code).not.toBe(0);
  expect((await terminal.run(`keys activity ${keyId} --since yesterday`)).err).toContain('must be a time such as 10m');
});
