// Tests what the CLI reports about an app: failed calls, notices, deprecated uses, evidence for live access, and
// earlier drills. Uses a real Console with a sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { endsMs } from '../../server/src/kit/http/deprecation.ts';
import { ALL_DEPRECATIONS } from '../../server/src/platform/deprecations/index.ts';
import { announceDeprecations } from '../../server/src/tenancy/deprecation-notices/index.ts';
import { warnAboutExpiry } from '../../server/src/tenancy/keys/warn-about-expiry.job.ts';
import { ageKey } from '../../server/test/expiring-key.ts';
import { until } from '../../server/test/harness.ts';
import { type Crane, openCrane } from './signed-out.ts';
import type { Terminal } from './terminal.ts';

let home: Crane;
let terminal: Terminal;
let appId: string;
let keyId: string;

const call = (method: string, path: string, body?: unknown) =>
  home.owner.visitor.call<{ requestId: string; status: number }>(
    'POST',
    `/api/sandbox${home.base.replace('/api', '')}/apps/${appId}/calls`,
    { keyId, method, path, ...(body !== undefined && { body: JSON.stringify(body) }) },
  );
const words = async (line: string): Promise<string> =>
  (await terminal.run(['complete', '--', ...line.split(' ')])).out.replaceAll(/\t.*\n/g, '\n').trim();

beforeAll(async () => {
  home = await openCrane();
  ({ terminal, appId, keyId } = home);
});
afterAll(() => home.close());

test('requests errors groups failed calls, the largest group first, with a sample of each', async () => {
  const nowhere = '/v1/servers/srv_00000000000000000000000000';
  await call('GET', nowhere);
  const { requestId } = (await call('GET', nowhere)).body;
  await call('POST', `${nowhere}/tickets`, { subject: 1 });
  const groups = async () => (await terminal.run('requests errors --json count,code,operationId,sampleId')).lines();
  // A response waits half a second for its record. On a busy machine the record is stored later.
  await until(async () => (await groups()).reduce((sum, { count }) => sum + Number(count), 0) === 3);
  expect(await groups()).toEqual([
    { count: 2, code: 'not_found', operationId: 'getServer', sampleId: requestId },
    { count: 1, code: 'invalid_request', operationId: 'createTicket', sampleId: expect.stringMatching(/^req_/) },
  ]);
  expect((await terminal.run('requests errors --code not_found --json code')).lines()).toEqual([{ code: 'not_found' }]);
  expect((await terminal.run('requests errors --until 1h --since 2h')).out).toBe('');
  const shown = await terminal.run('requests errors', { isTerminal: true, columns: 160 });
  expect([shown.out, shown.err]).toEqual([expect.stringMatching(/^COUNT +CODE .*\n2 +not_found +getServer /), '']);
});

test('notices list --unread omits a notice after it was read', async () => {
  expect((await terminal.run('notices list', { isTerminal: true })).err).toBe('Nothing found.\n');
  await ageKey(home.site.plane.database, keyId, '30 days', '6 days');
  await warnAboutExpiry(home.site.plane.worker);
  const unread = async () => (await terminal.run('notices list --unread --json id,kind,appName,keyName')).lines();
  const [notice, ...others] = await unread();
  expect([notice, others]).toMatchObject([{ kind: 'key_expires', appName: 'Crane', keyName: 'CI' }, []]);
  const id = String(notice?.id);
  expect(await words('notices read ')).toBe(id);
  // A notice belongs to the organisation: it can be read with any app, and with none.
  await terminal.run('apps create --name Bridge');
  terminal.env.SLIPWAY_TOKEN = home.token;
  expect([(await terminal.run('keys list')).code, await words('notices read ')]).toEqual([3, id]);
  delete terminal.env.SLIPWAY_TOKEN;
  expect(await terminal.run(`notices read ${id} --json readBy`)).toMatchObject({
    out: `${JSON.stringify({ readBy: home.owner.person.email })}\n`,
    err: 'sandbox / Harbour Tools\n',
  });
  expect(await unread()).toEqual([]);
  expect(await words('notices read ')).toBe('');
  expect((await terminal.run('notices list --json id')).lines()).toEqual([{ id }]);
});

test('requests deprecated lists a deprecated operation that the app uses', async () => {
  const deprecated = () => terminal.run('requests deprecated --json title,uses,replacement');
  expect((await deprecated()).lines()).toEqual([]);
  // Written as the API writes it, which gathers uses for several seconds.
  await home.site.plane.database.superuser.query(
    'insert into deprecated_uses (app_id, deprecation_id, day, uses, last_used_at) values ($1, $2, current_date, 3, now())',
    [fromId('app', appId), ALL_DEPRECATIONS[0]?.id],
  );
  const { title, replacement } = ALL_DEPRECATIONS[0] ?? {};
  expect((await deprecated()).lines()).toEqual([{ title, uses: 3, replacement }]);
});

test('a deprecation is announced 90 days before its end unless it was acknowledged in the terminal', async () => {
  const [deprecation] = ALL_DEPRECATIONS;
  if (!deprecation) throw new Error('No deprecation is declared.');
  const announce = (days: number): Promise<void> =>
    announceDeprecations(
      home.site.plane.worker,
      [deprecation],
      endsMs(deprecation) - days * 24 * 60 * 60_000,
      (error) => expect(error).toBeUndefined(),
    );
  const announced = async () =>
    (await terminal.run('notices list --json kind,deprecation.daysAhead,deprecation.ends'))
      .lines()
      .filter(({ kind }) => kind === 'deprecation_announced')
      .map(({ kind: _, ...rest }) => Object.values(rest));
  const answer = async (status: string) => {
    const body = JSON.stringify({ status, snoozedUntil: null });
    const parameter = `deprecationId=${deprecation.id}`;
    const { lines } = await terminal.run([
      'api',
      'answerDeprecation',
      '--param',
      parameter,
      '--body',
      body,
      '--json',
      'status',
    ]);
    return lines();
  };
  await announce(120);
  expect(await announced()).toEqual([[null, deprecation.ends]]);
  expect(await answer('acknowledged')).toEqual([{ status: 'acknowledged' }]);
  expect((await terminal.run('requests deprecated --json answer.status')).lines()).toEqual([
    { 'answer.status': 'acknowledged' },
  ]);
  await announce(90);
  expect(await announced()).toEqual([[null, deprecation.ends]]);
  await answer('unanswered');
  await announce(90);
  expect(await announced()).toEqual([
    [90, deprecation.ends],
    [null, deprecation.ends],
  ]);
});

test('apps evidence reports the results of the app in the sandbox, and the missing ones', async () => {
  const [server] = (await terminal.run('installations list --json serverId')).lines();
  const ticket = { subject: 's', body: 'b' };
  expect((await call('POST', `/v1/servers/${server?.serverId}/tickets`, ticket)).body.status).toBe(201);
  const { lines } = await terminal.run('apps evidence Crane --json appId,scopes,items');
  const [evidence] = lines() as { appId: string; scopes: object[]; items: object[] }[];
  expect(evidence?.appId).toBe(appId);
  expect(evidence?.scopes).toContainEqual(expect.objectContaining({ scope: 'tickets:create', outcome: 'ok' }));
  expect(evidence?.items).toContainEqual(expect.objectContaining({ name: 'idempotent_retries', outcome: 'missing' }));
});

test('drills list shows a drill after Ctrl-C ended the waiting', async () => {
  const line = `endpoints create --url http://127.0.0.1:1 --key-id ${keyId} --event-types ping --json endpoint.id`;
  const endpointId = (await terminal.run(line)).lines()[0]?.['endpoint.id'];
  expect((await terminal.run(`drills list ${endpointId}`, { isTerminal: true })).err).toBe('Nothing found.\n');
  const ending = new AbortController();
  // No worker runs here, so the drill stays in progress.
  const waited = terminal.run(`drill ${endpointId}`, {
    interrupted: ending.signal,
    onErr: (text) => text.includes('0 of') && ending.abort(),
  });
  expect((await waited).code).toBe(130);
  const [drill, ...others] = (await terminal.run(`drills list ${endpointId} --json id,status,summary.failed`)).lines();
  expect([drill, others]).toMatchObject([{ status: 'running', 'summary.failed': 0 }, []]);
  expect(await words('drills list ')).toBe(endpointId);
  const shown = (await terminal.run(`drills show ${drill?.id} --json endpointId,steps`)).lines()[0];
  expect(shown).toMatchObject({ endpointId, steps: expect.any(Array) });
});

test('explain lists the operations and suggests the nearest ones for a mistyped operation', async () => {
  const { code, err } = await terminal.run(`explain getServers --key-id ${keyId}`);
  expect(code).toBe(1);
  expect(err).toMatch(/`operationId` must be one of .*listServers.*\. Did you mean `getServer` or `listServers`\?/);
  const other = (await terminal.run('explain servers:read')).err;
  expect(other).toMatch(/`operationId` must be one of .*listServers/);
  expect(other).not.toContain('Did you mean');
});

test.each([
  'ftp://x',
  'ftp://bridge.example.org/hooks',
  'http://bridge.example.org',
])('endpoints create refuses the URL %s and states the required scheme', async (url) => {
  const { code, err } = await terminal.run(`endpoints create --url ${url} --key-id ${keyId} --event-types ping`);
  expect(code).toBe(1);
  expect(err).toContain('  --url: The URL must begin with https://, for example https://example.org/hook.\n');
});

test('installations list leaves out the columns that are empty in every row', async () => {
  const { out } = await terminal.run('installations list', { isTerminal: true, columns: 200 });
  expect(out.split('\n')[0]).toMatch(/^SERVER ID +SERVER NAME +INSTALLATION STATE$/);
});

test('installations set-all previews paused and revoked servers apart, and resumes revoked servers only if they are included', async () => {
  const servers = (await terminal.run('installations list --json serverId')).lines().map(({ serverId }) => serverId);
  await terminal.run(`installations set ${servers[0]} --state revoked --reason Audit.`);
  await terminal.run(`installations set ${servers[1]} --state paused`);
  const states = async () =>
    (await terminal.run('installations list --json serverId,installation.state')).lines().map((row) => {
      return row['installation.state'];
    });
  const before = await states();
  const refused = await terminal.run('installations set-all --state authorised');
  expect(refused.code).toBe(3);
  expect(refused.err).toContain('Changes 1 (1 paused); 1 stays revoked without --include-revoked.\n');
  expect(await states()).toEqual(before);
  const resumed = await terminal.run('installations set-all --state authorised --yes --json changed,excluded');
  expect([resumed.code, resumed.lines()]).toEqual([0, [{ changed: 1, excluded: 1 }]]);
  expect((await states()).filter((state) => state === 'revoked')).toEqual(['revoked']);
  const result = await terminal.run('installations set-all --state authorised --include-revoked', {
    answers: ['y'],
  });
  expect([result.code, result.err]).toEqual([0, expect.stringContaining('Changes 1 (1 revoked).\n')]);
  expect(new Set(await states())).toEqual(new Set(['authorised']));
  const dry = await terminal.run('installations set-all --state paused --dry-run');
  expect(dry.out).toContain('curl');
  expect(new Set(await states())).toEqual(new Set(['authorised']));
});
