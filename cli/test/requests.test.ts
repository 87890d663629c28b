// Tests requests, completion, access explanations and sandbox commands, on a real Console with a sandbox.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../server/test/harness.ts';
import { type Crane, openCrane } from './signed-out.ts';
import type { Terminal } from './terminal.ts';

let home: Crane;
let terminal: Terminal;
let keyId: string;

beforeAll(async () => {
  home = await openCrane();
  ({ terminal, keyId } = home);
});
afterAll(() => home.close());

test('apps event-scopes of an app that enforces the rule shows no counts on a terminal, and all fields as JSON', async () => {
  const shown = await terminal.run('apps event-scopes', { isTerminal: true, columns: 120 });
  expect(shown.out).toMatch(/state +enforced/);
  expect(shown.out).not.toMatch(/isComplete|deliveries|countLimit/);
  expect((await terminal.run('apps event-scopes')).lines()[0]).toMatchObject({ state: 'enforced', deliveries: 0 });
});

describe('slipway requests', () => {
  const call = (app: string, operation: string) =>
    home.owner.visitor.call<{ requestId: string }>(
      'POST',
      `/api/sandbox${home.base.replace('/api', '')}/apps/${app}/calls`,
      {
        keyId,
        method: 'GET',
        path: operation,
      },
    );
  const crane = async (): Promise<string> => String((await terminal.run('status --json appId')).lines()[0]?.appId);

  test('lists, shows, traces, prints as code, and replays a request', async () => {
    const { requestId } = (await call(await crane(), '/v1/servers?limit=1')).body;
    expect(
      (await terminal.run('requests list --json id,status --operation-id listServers --since 1h')).lines(),
    ).toEqual([{ id: requestId, status: 200 }]);
    expect((await terminal.run(`requests show ${requestId}`)).lines()[0]).toMatchObject({
      id: requestId,
      query: 'limit=1',
    });
    expect((await terminal.run(`requests trace ${requestId} --json requestId`)).lines()).toEqual([{ requestId }]);
    expect((await terminal.run(`requests code ${requestId} --json curl`)).out).toContain('/v1/servers');
    const again = await terminal.run(`replay ${requestId} --json status`);
    expect([again.lines(), again.err]).toEqual([[{ status: 200 }], expect.stringContaining('/ Crane (app_')]);
    const shown = await terminal.run('requests list', { isTerminal: true, columns: 120 });
    expect(shown.out).toMatch(
      /^AT +STATUS +METHOD +PATH .*\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +200 +GET +\/v1\/servers /,
    );
  });

  test('replay refuses a mask of the record as data unless --literals names it', async () => {
    const { requestId } = (await call(await crane(), '/v1/servers?limit=1')).body;
    const masked = ['replay', requestId, '--body', '{"subject":"[string of 5 characters]"}'];
    const refused = await terminal.run(masked);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('--body /subject is a mask of the Request'),
    ]);
    const meant = await terminal.run([...masked, '--literals', '/body/subject', '--json', 'status']);
    expect(meant.err).not.toContain('is a mask');
  });

  test('requests code prints all three languages or one, on a terminal as in a pipe', async () => {
    const { requestId } = (await call(await crane(), '/v1/servers?limit=2')).body;
    const line = `requests code ${requestId}`;
    const [snippets] = (await terminal.run(`${line} --json`)).lines();
    const { curl, fetch, sdk } = snippets as { curl: string; fetch: string; sdk: string };
    expect(curl.split('\n').length).toBeGreaterThan(1);
    for (const isTerminal of [true, false]) {
      const all = await terminal.run(line, { isTerminal });
      expect([all.code, all.err]).toEqual([0, '']);
      expect(all.out).toBe(
        `# curl, for a POSIX shell\n${curl}\n\n// fetch, for Node, as a module\n${fetch}\n\n// The SDK, @slipway/sdk\n${sdk}\n`,
      );
      for (const [as, text] of Object.entries({ curl, fetch, sdk }))
        expect((await terminal.run(`${line} --as ${as}`, { isTerminal })).out).toBe(`${text}\n`);
    }
    expect(await terminal.run(`${line} --as perl`)).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('--as: must be one of curl, fetch, sdk.'),
    });
    expect((await terminal.run(`${line} --as sdk --json`)).code).toBe(3);
  });

  test('requests code omits an SDK call if no method exists, and refuses --as sdk', async () => {
    const { requestId } = (await call(await crane(), '/v1/nowhere')).body;
    const printed = await terminal.run(`requests code ${requestId}`);
    expect([printed.code, printed.out]).toEqual([0, expect.not.stringContaining('SDK')]);
    expect(await terminal.run(`requests code ${requestId} --as sdk`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('the SDK has no method for this request'),
    });
  });

  test('requests tail follows until Ctrl-C and resumes without a repeated or missing request', async () => {
    const app = await crane();
    const created: string[] = [];
    const seen: string[] = [];
    const make = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) created.push((await call(app, '/v1/me')).body.requestId);
    };
    /**
     * Follows while requests are made. Some of them are in the earlier list and in the tail. Returns the position at
     * the end.
     */
    async function follow(args: string, meanwhile: number): Promise<string | undefined> {
      const ending = new AbortController();
      const ran = terminal.run(`requests tail --operation-id getMe ${args} --json id`, {
        interrupted: ending.signal,
        onOut: (text) => seen.push(JSON.parse(text).id),
      });
      await make(meanwhile);
      await until(() => seen.length >= created.length);
      await make(1);
      await until(() => seen.includes(created.at(-1) ?? ''));
      ending.abort();
      const { code, err } = await ran;
      expect(code).toBe(130);
      return /--resume (\S+) continues from here/.exec(err)?.[1];
    }
    await make(3);
    const position = await follow('--since 1h', 9);
    await make(2);
    await follow(`--resume ${position}`, 2);
    expect(seen).toEqual(created);
  });
});

test('complete lists commands, options, and names from the Console', async () => {
  const words = async (line: string): Promise<string[]> => {
    const { out } = await terminal.run(['complete', '--', ...line.split(' ')]);
    return out.split('\n').flatMap((one) => one.split('\t')[0] || []);
  };
  expect(await words('re')).toEqual(['receipts', 'requests', 'replay', 'redeliveries']);
  expect(await words('keys r')).toEqual(['rotate', 'revoke']);
  expect(await words('keys rotate --ex')).toEqual(['--expires-in-days']);
  expect(await words('keys revoke ')).toEqual([keyId]);
  expect(await words('explain getMe --key-id ')).toEqual([keyId]);
  expect(await words('use C')).toEqual(['Crane']);
  expect(await words('keys list --profile ')).toEqual(['harbour-tools']);
  expect(await words('keys list --json st')).toEqual(['state']);
  expect(await words('installations set ')).toHaveLength(5);
  expect(await words('keys revoke x y')).toEqual([]);
  terminal.env.SLIPWAY_TOKEN = 'slp_wrong';
  expect(await words('use ')).toEqual([]);
  delete terminal.env.SLIPWAY_TOKEN;
});

test('explain reports access, world reset replaces sandbox data, and faults change responses', async () => {
  expect((await terminal.run(`explain getMe --key-id ${keyId} --json isAllowed`)).lines()).toEqual([
    { isAllowed: true },
  ]);
  expect(await terminal.run('explain createTicket')).toMatchObject({
    code: 1,
    err: expect.stringContaining('  --server-id is required (`slipway installations list` lists them)\n'),
  });
  expect((await terminal.run('requests errors --status 1')).err).toContain('  --status must be at least 100\n');
  expect((await terminal.run('world preset empty --yes --json counts.servers')).lines()).toEqual([
    { 'counts.servers': 0 },
  ]);
  const fault = (await terminal.run('faults create --code rate_limited --latency-ms 5')).lines()[0];
  expect(fault).toMatchObject({ operationId: null, share: 1, effect: { code: 'rate_limited', latencyMs: 5 } });
  expect((await terminal.run(`faults set-share ${fault?.id} --share 0.1 --json share,isEnabled`)).lines()).toEqual([
    { share: 0.1, isEnabled: true },
  ]);
  expect((await terminal.run(`faults disable ${fault?.id} --json isEnabled`)).lines()).toEqual([{ isEnabled: false }]);
  expect(await terminal.run(`faults delete ${fault?.id}`)).toMatchObject({ code: 0, out: '' });
});

test('openapi prints the document indented, on a terminal, in a pipe and with --json', async () => {
  const piped = await terminal.run('openapi');
  expect(JSON.parse(piped.out)).toMatchObject({
    openapi: '3.1.0',
    paths: { '/v1/me': { get: { operationId: 'getMe' } } },
  });
  expect(piped.out).toMatch(/^\{\n {2}"openapi": "3\.1\.0",\n/);
  expect((await terminal.run('openapi', { isTerminal: true })).out).toBe(piped.out);
  expect((await terminal.run('openapi --json')).out).toBe(piped.out);
  expect((await terminal.run('openapi --json openapi')).out).toBe('{\n  "openapi": "3.1.0"\n}\n');
});
