// The first start and later ones from the perspective of a user: the output, the note, and the persistent data.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstance, type Run, root, type SlipwayInstance, until } from './slipway.ts';
import {
  ask,
  createTicket,
  firstServerId,
  listServers,
  type Note,
  parseNote,
  readNote,
  send,
  signIn,
} from './visitor.ts';

const KEY = /slw_(test|live)_/;

// The content of these pages for visitors depends on a token in their address.
const TOKEN_PAGES = [
  ...['/cancel-removal', '/confirm-email', '/device', '/invitation', '/reset-password', '/restore-email'],
  '/sign-in/provider',
];

interface Receipt {
  type: string;
  subject: string | null;
  isVerified: boolean;
}
const receipts = async (instance: SlipwayInstance): Promise<Receipt[]> =>
  (await ask<Receipt[]>(`${instance.receiverUrl}/received`)).body;

async function stop({ child, exited }: Run): Promise<number | null> {
  child.kill('SIGTERM');
  return exited;
}

describe('from the first start to the starts after the first sign-in', () => {
  let instance: SlipwayInstance;
  let run: Run;
  let note: Note;
  let cookie: string;

  beforeAll(async () => {
    instance = await createInstance();
    run = instance.start();
    await run.ready;
    note = readNote(instance);
  });
  afterAll(() => instance.remove());

  test('every page’s document has prerendered content, names its code, and contains no inline script', async () => {
    const built = `${root}/console/dist`;
    const pages = JSON.parse(readFileSync(`${built}/pages.json`, 'utf8')) as { path: string; file: string }[];
    expect(pages.length).toBeGreaterThan(40);
    const known = pages.map(({ path }) => path);
    expect(known).toEqual(expect.arrayContaining(['/sign-in', '/sandbox/:organisationId/apps/:appId/requests']));
    const bare = pages.filter(
      ({ file }) => !readFileSync(`${built}/${file}`, 'utf8').includes('<div id="root"><div inert aria-hidden="true">'),
    );
    expect(bare.map(({ path }) => path).sort()).toEqual(TOKEN_PAGES);
    const headers = { cookie: 'slipway_session=whatever' }; // pages of members are served only with a session cookie
    for (const { path, file } of pages) {
      const answer = await fetch(instance.consoleUrl + path.replaceAll(/:(\w+)/g, 'some_$1'), { headers });
      const html = await answer.text();
      expect([path, answer.status, html === readFileSync(`${built}/${file}`, 'utf8')]).toEqual([path, 200, true]);
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
      expect(html).not.toMatch(/<script(?![^>]* src="\/assets\/)|\son\w+=|javascript:/);
      for (const [, asset] of html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
        expect(existsSync(built + asset)).toBe(true);
    }
    const keys = await (await fetch(`${instance.consoleUrl}/sandbox/org_1/apps/app_1/keys`, { headers })).text();
    expect(keys).toMatch(/<link rel="modulepreload"[^>]* href="\/assets\/keys-page-/);
  });

  test('scripts and styles are sent compressed to clients that accept it, and unchanged to others', async () => {
    const html = await (await fetch(`${instance.consoleUrl}/sign-in`)).text();
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(assets.length).toBeGreaterThan(2);
    const scripts = assets
      .filter((path) => path?.endsWith('.js'))
      .map((path) => statSync(`${root}/console/dist${path}.br`).size);
    expect(scripts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(250_000);
    for (const path of assets) {
      const texts = await Promise.all(
        ['br', 'gzip', 'identity'].map(async (coding) => {
          const answer = await fetch(instance.consoleUrl + path, { headers: { 'accept-encoding': coding } });
          expect(answer.headers.get('content-encoding') ?? 'identity').toBe(coding);
          expect(answer.headers.get('vary')).toContain('accept-encoding');
          expect(answer.headers.get('content-type')).toMatch(/javascript|css/);
          return answer.text();
        }),
      );
      expect(new Set(texts).size).toBe(1);
    }
  });

  test('the first start prints neither a key nor a sign-in link, and writes them to a note for its owner alone', () => {
    expect(statSync(instance.noteFile).mode & 0o777).toBe(0o600);
    expect(note.key).toMatch(KEY);
    expect(note.link).toMatch(/^\S{16,}$/);
    const printed = run.stdout() + run.stderr();
    expect(printed).toContain(instance.noteFile);
    expect(printed).not.toMatch(KEY);
    expect(printed).not.toContain(note.link);
    expect(run.stderr()).toBe('');
  });

  test('the note’s commands work in a shell as written, and the receiver shows the ticket’s webhook as verified', async () => {
    const [list = '', create = ''] = note.commands;
    const shell = (line: string) => JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8', stdio: 'pipe' }));
    expect(shell(list).data.length).toBeGreaterThan(0);
    expect(shell(create)).toMatchObject({ id: expect.stringMatching(/^tkt_/), subject: 'Hello' });
    const seen = await until(
      async () => (await receipts(instance)).find((receipt) => receipt.subject === 'Hello'),
      5_000,
    );
    expect(seen).toMatchObject({ type: 'ticket.created', isVerified: true });
  });

  test('the data folder contains no key outside of the note, and only its owner can read its secrets', () => {
    expect(statSync(`${instance.dataDir}/secrets.json`).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${instance.dataDir}/secrets.json`, 'utf8')).not.toMatch(KEY);
    expect(readFileSync(`${instance.dataDir}/postgres.log`, 'utf8')).not.toMatch(KEY);
  });

  test('a second start keeps all data, shows the key nowhere, and replaces the link before the first sign-in', async () => {
    const serverId = await firstServerId(instance, note.key ?? '');
    const ticket = { serverId, subject: 'Kept', idempotencyKey: 'kept' };
    const before = await createTicket(instance, note.key ?? '', ticket);
    expect(await stop(run)).toBe(0);

    run = instance.start();
    await run.ready;
    const second = readNote(instance);
    expect(run.stdout()).not.toMatch(KEY);
    expect(second.text).not.toMatch(KEY);
    expect(second.link).not.toBe(note.link);
    expect((await signIn(instance, note.link)).status).toBe(401);
    expect((await createTicket(instance, note.key ?? '', ticket)).body.id).toBe(before.body.id);
    note = { ...second, key: note.key };
  });

  test('the first sign-in removes the note, its link works only once, and the owner finds the demo', async () => {
    expect((await signIn(instance, 'not-a-token-of-any-link')).status).toBe(401);
    expect(existsSync(instance.noteFile)).toBe(true);
    const signedIn = await signIn(instance, note.link);
    expect(signedIn.status).toBe(204);
    cookie = signedIn.cookie;
    expect(existsSync(instance.noteFile)).toBe(false);
    expect((await signIn(instance, note.link)).status).toBe(401);
    const session = await ask<{ organisations: { role: string }[] }>(`${instance.consoleUrl}/api/session`, {
      headers: { cookie },
    });
    expect(session.body.organisations).toMatchObject([{ role: 'owner' }]);
  });

  test('an endpoint at the documented address of the receiver gets deliveries that verify there', async () => {
    const api = `${instance.consoleUrl}/api`;
    const { body } = await ask<{ organisations: { id: string }[] }>(`${api}/session`, { headers: { cookie } });
    const apps = `${api}/sandbox/organisations/${body.organisations[0]?.id}/apps`;
    const first = async (list: string): Promise<string> =>
      (await ask<{ data: { id: string }[] }>(list, { headers: { cookie } })).body.data[0]?.id ?? '';
    const app = `${apps}/${await first(apps)}`;
    const input = { url: `${instance.receiverUrl}/hooks`, keyId: await first(`${app}/keys`), eventTypes: ['ping'] };
    const created = await send<{ endpoint: { id: string } }>(`${app}/endpoints`, input, { cookie });
    expect(created.status).toBe(201);
    await send(`${app}/endpoints/${created.body.endpoint.id}/test`, { type: 'ping' }, { cookie });
    const seen = await until(async () => (await receipts(instance)).find(({ type }) => type === 'ping'), 5_000);
    expect(seen.isVerified).toBe(true);
  });

  test('an unknown address of the Console shows a page to a browser and a problem to a program', async () => {
    const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const answerOf = async (path: string, headers: Record<string, string>): Promise<unknown[]> => {
      const answer = await ask<unknown>(`${instance.consoleUrl}${path}`, { headers });
      return [answer.status, answer.headers.get('content-type')?.split(';')[0]];
    };
    for (const path of ['/nope/x', '/nope?a=b.c']) expect(await answerOf(path, page)).toEqual([404, 'text/html']);
    const problem = [404, 'application/problem+json'];
    for (const path of ['/nope/x.js', '/assets/none.js', '/api/nope'])
      expect(await answerOf(path, page)).toEqual(problem);
    expect(await answerOf('/nope/x', {})).toEqual(problem);
  });

  test.each([
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e',
  ])('the path %s out of the folder of pages is not found', async (path) => {
    // fetch would normalise the path.
    const request = get({ port: instance.ports.console, host: '127.0.0.1', path });
    const [response] = (await once(request, 'response')) as [IncomingMessage]; // the arguments of this event
    response.resume();
    const type = expect.stringContaining('application/problem+json');
    expect([response.statusCode, response.headers['content-type']]).toEqual([404, type]);
  });

  test('a sign-in link cannot be redeemed from a page of another site', async () => {
    const foreign = await send(
      `${instance.consoleUrl}/api/sign-in-link`,
      { token: note.link },
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
  });

  test('a start after the first sign-in makes no link and no note, and the first key still works', async () => {
    await stop(run);
    run = instance.start();
    await run.ready;
    expect(existsSync(instance.noteFile)).toBe(false);
    expect(run.stdout()).not.toMatch(/link=|sign-in/);
    expect(run.stdout()).not.toMatch(KEY);
    expect((await listServers(instance, note.key ?? '')).status).toBe(200);
  });

  test('a webhook is delivered after a restart', async () => {
    const serverId = await firstServerId(instance, note.key ?? '');
    await createTicket(instance, note.key ?? '', { serverId, subject: 'Again', idempotencyKey: 'again' });
    const seen = await until(
      async () => (await receipts(instance)).find((receipt) => receipt.subject === 'Again'),
      5_000,
    );
    expect(seen.isVerified).toBe(true);
  });
});

// `script` of util-linux gives the server a terminal, through the user's shell. `exec` replaces that shell: otherwise a
// shell such as dash would end on Ctrl-C with exit code 130.
test.runIf(process.platform === 'linux')(
  'the first start at a terminal shows the key and the link on the screen, and Ctrl-C stops it',
  async () => {
    const instance = await createInstance();
    try {
      const run = instance.spawn('script', ['-qec', `exec ${process.execPath} server/dist/main.js`, '/dev/null']);
      await run.ready;
      await until(() => parseNote(run.stdout()).commands.length === 2);
      const shown = parseNote(run.stdout());
      expect(existsSync(instance.noteFile)).toBe(false);
      expect((await listServers(instance, shown.key ?? '')).status).toBe(200);
      expect((await signIn(instance, shown.link)).status).toBe(204);
      const postgres = instance.postgres();
      expect(postgres).toBeDefined();
      run.child.stdin?.write('\x03');
      expect(await run.exited).toBe(0);
      expect(instance.postgres()).toBeUndefined();
    } finally {
      await instance.remove();
    }
  },
);
