// Signing in by a code, on both sides: the terminal that shows it, and the person who types it into the Console.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConsole, type SignedOut } from './signed-out.ts';
import type { Ran, RunOptions } from './terminal.ts';

let home: SignedOut;
beforeAll(async () => {
  home = await openConsole();
});
afterAll(() => home.close());

const there: RunOptions = { answers: [] };

/** Begins to sign in; resolves with what was shown as soon as the code is. */
async function logIn(
  line: string,
  options: RunOptions = {},
): Promise<{ code: string; pages: string[]; ran: Promise<Ran> }> {
  const pages: string[] = [];
  let shown = '';
  let ran: Promise<Ran> | undefined;
  const code = await new Promise<string>((resolve, reject) => {
    const onErr = (text: string): void => {
      shown += text;
      const found = /Your code: {2}(\S+)\n[\s\S]*Waiting/.exec(shown)?.[1];
      if (found) resolve(found);
    };
    ran = home.terminal.run(line, { ...there, onErr, onBrowser: (url) => pages.push(url), ...options });
    void ran.then(({ err }) => reject(new Error(err)));
  });
  return { code, pages, ran: ran as Promise<Ran> }; // begun above
}

const decide = (path: string, body: object) => home.owner.visitor.call('POST', path, body);

test('what is approved in the Console signs in here, with the scope that was chosen there; a browser is opened', async () => {
  const { code, pages, ran } = await logIn('login');
  expect(pages).toEqual([`${home.url}/device`]);
  const wish = { userCode: code, scope: 'read', expiresInDays: 7 };
  expect((await decide(`${home.base}/device-sign-ins`, wish)).status).toBe(204);
  const { code: exit, out, err } = await ran;
  expect([exit, out]).toEqual([0, '']);
  expect(err).toContain(`as ${home.owner.person.email}, in Harbour Tools`);
  expect(err).not.toContain('slp_');
  expect((await home.terminal.run('whoami --json accessToken.scope')).lines()).toEqual([
    { 'accessToken.scope': 'read' },
  ]);
});

test('what is refused there ends with 4, and opens no browser where none is wanted', async () => {
  const { code, pages, ran } = await logIn('login --no-browser');
  expect(pages).toEqual([]);
  expect((await decide('/api/device-sign-ins/deny', { userCode: code })).status).toBe(204);
  expect(await ran).toMatchObject({ code: 4, err: expect.stringContaining('refused in the Console') });
});

test('Ctrl-C while it waits is 130', async () => {
  const had = new AbortController();
  const { ran } = await logIn('login', { interrupted: had.signal });
  had.abort();
  expect((await ran).code).toBe(130);
});

test('without a Console it says so', async () => {
  const { code, err } = await home.terminal.run('login --console-url http://127.0.0.1:1', there);
  expect([code, err]).toEqual([5, expect.stringContaining('no answer from a Console')]);
});
