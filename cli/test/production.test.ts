// Tests the CLI with both environments: --environment selects one, and a command that changes something names it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { remoteLink } from '../../server/src/governance/environments/index.ts';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { type LiveApp, type Production, startProduction } from '../../server/test/production.fixture.ts';
import { openConsole, type SignedOut } from './signed-out.ts';

const LIVE = '--environment production';

let production: Production;
let home: SignedOut;
let app: LiveApp;
const run = (line: string) => home.terminal.run(line);
beforeAll(async () => {
  production = await startProduction();
  home = await openConsole({
    production: {
      environment: 'production',
      link: remoteLink('production', production.managementUrl),
      managementKey: production.options.managementKey,
    },
  });
  home.terminal.env.SLIPWAY_TOKEN = home.token;
  await run('apps create --name Bridge');
  app = await production.newApp(fromId('org', home.id));
});
afterAll(async () => {
  await home.close();
  await production.close();
});

test('commands use the sandbox without --environment, and status shows the environment', async () => {
  const environments = ['', ` ${LIVE}`, ' --environment sandbox'].map(async (option) => {
    const { lines } = await run(`status --json environment,appId${option}`);
    return lines()[0];
  });
  expect(await Promise.all(environments)).toEqual([
    { environment: 'sandbox', appId: expect.not.stringMatching(app.id) },
    { environment: 'production', appId: app.id },
    { environment: 'sandbox', appId: expect.not.stringMatching(app.id) },
  ]);
});

test('--environment production lists production apps, keys and requests, and a change names the environment first', async () => {
  const key = await app.key(['servers:read']);
  await production.call('/v1/me', key.token);
  expect((await run(`apps list --json id ${LIVE}`)).lines()).toEqual([{ id: app.id }]);
  expect((await run(`keys list --json id ${LIVE}`)).lines()).toEqual([{ id: key.id }]);
  expect((await run(`requests list --json path,environment ${LIVE}`)).code).toBe(3);
  expect((await run(`requests list --json path ${LIVE}`)).lines()).toEqual([{ path: '/v1/me' }]);
  expect((await run(`apps suspend ${app.id} --dry-run ${LIVE}`)).out).toContain('/api/production/');
  const revoked = await run(`keys revoke ${key.id} --yes ${LIVE}`);
  expect([revoked.code, revoked.err]).toEqual([
    0,
    expect.stringMatching(/^production \/ Harbour Tools \/ .* \(app_\w+\)\n$/),
  ]);
  expect((await production.call('/v1/me', key.token)).status).toBe(401);
});

test('a key is sent to the API of its environment, at the address that the Console reported at the sign-in', async () => {
  const curlOf = async (key: string): Promise<string> => {
    home.terminal.env.SLIPWAY_KEY = key;
    return (await run('me --dry-run')).out;
  };
  expect(await curlOf('slw_test_key')).toContain('http://localhost:4000/v1/me');
  await home.terminal.run('login --with-token', { stdin: home.token });
  expect(await curlOf('slw_test_key')).toContain('http://sandbox.test/v1/me');
  expect(await curlOf('slw_live_key')).toContain('http://production.test/v1/me');
  home.terminal.env.SLIPWAY_API_URL = 'http://elsewhere.test';
  expect(await curlOf('slw_live_key')).toContain('http://elsewhere.test/v1/me');
});

test('keys create refuses an access token in production', async () => {
  const line = `keys create --name Live --scopes servers:read --expires-in-days 7 ${LIVE}`;
  expect(await run(line)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('access_token_not_allowed') });
});

describe('refusals', () => {
  test('refuses --environment for sandbox commands, and an unknown environment', async () => {
    for (const line of [`trigger ping ${LIVE}`, `world show ${LIVE}`, `apps create --name X ${LIVE}`]) {
      expect(await run(line)).toMatchObject({ code: 3, out: '', err: expect.stringContaining("'--environment'") });
    }
    const wrong = await run('apps list --environment staging');
    expect([wrong.code, wrong.err]).toEqual([
      3,
      'slipway: --environment: must be sandbox or production, not staging.\n',
    ]);
  });

  test('refuses --environment production if the Console has no production', async () => {
    const plain = await openConsole();
    try {
      plain.terminal.env.SLIPWAY_TOKEN = plain.token;
      const { code, err } = await plain.terminal.run(`apps list ${LIVE}`);
      expect([code, err]).toEqual([3, 'slipway: this Console does not serve production.\n']);
    } finally {
      await plain.close();
    }
  });
});
