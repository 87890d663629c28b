// Tests the main workflows on a real Console with a sandbox: sign in, read, change, follow, and refusals.
import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConsole, type SignedOut } from './signed-out.ts';
import type { Terminal } from './terminal.ts';

let home: SignedOut;
let terminal: Terminal;

beforeAll(async () => {
  home = await openConsole();
  ({ terminal } = home);
});
afterAll(() => home.close());

describe('signing in', () => {
  test('every command explains how to sign in if no profile exists', async () => {
    const { code, out, err } = await terminal.run('apps list');
    expect([code, out]).toEqual([4, '']);
    expect(err).toBe('slipway: you are not signed in: sign in with `slipway login`, or set SLIPWAY_TOKEN.\n');
  });

  test('login --with-token stores a profile that only its owner can read, and prints the token nowhere', async () => {
    const { code, out, err } = await terminal.run('login --with-token', { stdin: `${home.token}\n` });
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain(`Signed in to ${home.url} as ${home.owner.person.email}, in Harbour Tools`);
    expect(err).not.toContain(home.token.slice(4));
    expect(statSync(terminal.configFile).mode & 0o777).toBe(0o600);
    delete terminal.env.SLIPWAY_CONSOLE_URL;
    expect((await terminal.run('whoami --json email,accessToken.scope')).lines()).toEqual([
      { email: home.owner.person.email, 'accessToken.scope': 'write' },
    ]);
  });

  test('login --with-token asks without echo; Ctrl-C ends with 2, and a missing terminal with 4', async () => {
    const line = `login --with-token --console-url ${home.url} --profile asked`;
    expect((await terminal.run(line, { answers: [undefined] })).code).toBe(2);
    expect((await terminal.run(line)).code).toBe(4);
    expect((await terminal.run('login')).code).toBe(4);
    expect((await terminal.run(line, { answers: [home.token] })).code).toBe(0);
    expect((await terminal.run('logout')).err).toContain(`${home.url}/organisations/${home.id}/team`);
    expect((await terminal.run('status --json profile')).lines()).toEqual([{ profile: 'harbour-tools' }]);
  });

  test('login refuses an invalid token, a wrong token, and an unencrypted connection', async () => {
    const login = (url: string, stdin: string) => terminal.run(`login --with-token --console-url ${url}`, { stdin });
    expect(await login(home.url, 'slw_test_a\nb')).toMatchObject({
      code: 4,
      err: expect.stringContaining('must begin with slp_'),
    });
    expect(await login(home.url, `${home.token.slice(0, -1)}!`)).toMatchObject({
      code: 4,
      err: expect.stringContaining('invalid_access_token'),
    });
    for (const url of [
      'http://console.example.org',
      'http://127.0.0.1.example.org',
      'ftp://x',
      'http://a:b@localhost',
    ]) {
      expect(await login(url, home.token)).toMatchObject({ code: 3, out: '' });
    }
    expect(await login('http://127.0.0.1:1', home.token)).toMatchObject({
      code: 5,
      err: expect.stringMatching(
        /^slipway: no answer from a Console at http:\/\/127.0.0.1:1 .*; set its address with `slipway login --console-url`\.\n$/,
      ),
    });
  });

  test('sends a profile’s token only to the profile’s Console, whatever the environment says', async () => {
    terminal.env.SLIPWAY_CONSOLE_URL = 'http://127.0.0.1:1';
    expect((await terminal.run('whoami')).code).toBe(0);
    delete terminal.env.SLIPWAY_CONSOLE_URL;
  });
});

test('an access token sees one organisation, and a session sees all organisations of the person', async () => {
  const { visitor, person } = home.owner;
  const other = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Elsewhere' });
  const { lines } = await terminal.run('whoami --json email,organisations');
  expect(lines()).toEqual([
    { email: person.email, organisations: [{ id: home.id, name: 'Harbour Tools', role: 'owner' }] },
  ]);
  const signedIn = await visitor.call<{ organisations: { id: string }[] }>('GET', '/api/caller');
  expect(signedIn.body).toMatchObject({ email: person.email, accessToken: null });
  expect(signedIn.body.organisations.map(({ id }) => id)).toEqual([home.id, other.body.id]);
});

describe('apps and keys', () => {
  test('apps create and use choose an app, and every change names it first', async () => {
    expect(await terminal.run('keys list')).toMatchObject({
      code: 3,
      err: expect.stringContaining('slipway apps create'),
    });
    const createdApp = await terminal.run('apps create --name Bridge');
    expect([createdApp.code, createdApp.err]).toEqual([0, 'sandbox / Harbour Tools\n']);
    await terminal.run('apps create --name Crane');
    expect(await terminal.run('keys list')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/choose an app: [\s\S]*app_\w+ {2}Crane/),
    });
    expect((await terminal.run('use Crane')).err).toContain('sandbox / Harbour Tools / Crane');
    expect((await terminal.run('status --json app,environment')).lines()).toEqual([
      { app: 'Crane', environment: 'sandbox' },
    ]);
    const id = createdApp.lines()[0]?.id;
    // A read uses the chosen app unless another one is named. A deletion requires the app as an argument.
    expect((await terminal.run('apps show --json name')).lines()).toEqual([{ name: 'Crane' }]);
    expect((await terminal.run('apps evidence --json appId')).lines()).not.toEqual([{ appId: id }]);
    for (const named of ['Bridge', String(id), '--app Bridge'])
      expect((await terminal.run(`apps show ${named} --json id`)).lines()).toEqual([{ id }]);
    expect(await terminal.run('apps show Bridge --app Crane')).toMatchObject({
      code: 3,
      err: 'slipway: the app must be named once: as argument or with --app.\n',
    });
    for (const ending of ['suspend', 'delete', 'restore', 'resume', 'rename --name x'])
      expect(await terminal.run(`apps ${ending}`)).toMatchObject({
        code: 3,
        err: expect.stringContaining('slipway: missing: <appId>'),
      });
    expect((await terminal.run(`world clock --speed paused --app ${id}`)).err).toBe(
      `sandbox / Harbour Tools / Bridge (${id})\n`,
    );
  });

  test('keys create prints the secret on stdout once and nowhere else', async () => {
    const createdKey = await terminal.run('keys create --name CI --preset everything --expires-in-days 30');
    const { token: secret = '' } = createdKey.lines()[0] as { token: string };
    expect(secret).toMatch(/^slw_test_/);
    expect(createdKey.out.split(secret)).toHaveLength(2);
    expect(createdKey.err).not.toContain(secret);
    expect(readFileSync(terminal.configFile, 'utf8')).not.toContain(secret);
    expect((await terminal.run('keys list')).out).not.toContain(secret);
  });

  test('keys create limits a key to addresses, and keys update changes and removes its note', async () => {
    const createdEndpoint = await terminal.run(
      'keys create --name Office --preset webhooks --expires-in-days 1 --note vault --allowed-cidrs 192.0.2.0/24,2001:db8::/32',
    );
    const { id, allowedCidrs } = createdEndpoint.lines()[0]?.key as { id: string; allowedCidrs: string[] };
    expect(allowedCidrs).toEqual(['192.0.2.0/24', '2001:db8::/32']);
    const update = async (change: string) =>
      (await terminal.run(`keys update ${id} ${change} --json name,note`)).lines();
    expect(await update('--name Bridge')).toEqual([{ name: 'Bridge', note: 'vault' }]);
    expect(await update('--note safe')).toEqual([{ name: 'Bridge', note: 'safe' }]);
    expect(await update('--no-note')).toEqual([{ name: 'Bridge', note: null }]);
  });

  test('keys revoke asks first: no ends with 2, --yes skips the question, and a missing terminal ends with 3', async () => {
    const { lines } = await terminal.run(
      'keys create --name Old --scopes servers:read,events:read --expires-in-days 1',
    );
    const { id } = lines()[0]?.key as { id: string };
    expect(await terminal.run(`keys revoke ${id}`, { answers: ['n'] })).toMatchObject({ code: 2, out: '' });
    expect(await terminal.run(`keys revoke ${id}`)).toMatchObject({ code: 3, err: expect.stringContaining('--yes') });
    expect((await terminal.run(`keys revoke ${id} --yes --json state`)).lines()).toEqual([{ state: 'revoked' }]);
  });

  test('--dry-run prints the call without the token and changes nothing', async () => {
    const { code, out } = await terminal.run('keys create --name Dry --preset webhooks --expires-in-days 1 --dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^curl -X POST 'http.*\/keys' \\\n {2}-H "Authorization: Bearer \$SLIPWAY_TOKEN" \\\n/);
    expect(out).toContain(`--data-raw '{"name":"Dry","preset":"webhooks","expiresInDays":1}'`);
    expect(out).not.toContain(home.token.slice(4));
    expect((await terminal.run('keys list --json name')).out).not.toContain('Dry');
    expect(await terminal.run('requests tail --dry-run')).toMatchObject({
      code: 0,
      out: expect.stringContaining('/request-tail'),
    });
    expect(await terminal.run('apps list --dry-run')).toMatchObject({ code: 0, out: expect.stringContaining('curl ') });
  });

  test('reports missing permissions of a token, and invalid fields that the API names', async () => {
    terminal.env.SLIPWAY_TOKEN = await home.newToken('read');
    terminal.env.SLIPWAY_CONSOLE_URL = home.url;
    expect((await terminal.run('apps list --json name')).code).toBe(0);
    expect(await terminal.run('apps create --name No')).toMatchObject({
      code: 1,
      err: expect.stringContaining('may only read'),
    });
    delete terminal.env.SLIPWAY_TOKEN;
    delete terminal.env.SLIPWAY_CONSOLE_URL;
    const refused = await terminal.run('keys create --name X --preset nope --expires-in-days 1');
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/invalid_request, req_\w+\)[\s\S]* {2}--preset /),
    });
    for (const line of [
      'nope',
      'keys nope',
      'keys',
      'keys revoke',
      'keys list --nope',
      'keys list --limit x',
      'keys list --json nope',
    ]) {
      expect([line, (await terminal.run(line)).code]).toEqual([line, 3]);
    }
  });
});

test('every family has help that works without a sign-in', async () => {
  const { out } = await terminal.run('--help');
  const families = [...out.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = '']) => name);
  expect(families).toEqual(expect.arrayContaining(['login', 'requests', 'trigger']));
  for (const family of families) {
    expect(await terminal.run(`${family} --help`)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Usage: slipway'),
    });
  }
  expect((await terminal.run('help exit-codes')).out).toMatch(
    /^0\t.*\n1\t[\s\S]*\n130\tInterrupted by Ctrl-C or SIGTERM\.\n`slipway ci` exits with the code of your command, .*\n$/,
  );
  expect((await terminal.run('help keys rotate')).out).toContain('--overlap-hours');
});
