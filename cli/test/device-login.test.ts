// Tests the device sign-in on both sides: the terminal that shows the code, and the member who types it into the
// Console.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConsole, type SignedOut } from './signed-out.ts';
import type { Ran, RunOptions } from './terminal.ts';

let home: SignedOut;
beforeAll(async () => {
  home = await openConsole();
});
afterAll(() => home.close());

const there: RunOptions = { answers: [] };

/** Starts a sign-in. Resolves with the code and the opened pages as soon as the code is printed. */
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
  return { code, pages, ran: ran as Promise<Ran> }; // started above
}

const decide = (path: string, body: object) => home.owner.visitor.call('POST', path, body);

test('an approval in the Console signs the terminal in with the chosen scope, and login opens a browser', async () => {
  const { code, pages, ran } = await logIn('login');
  expect(pages).toEqual([`${home.url}/device`]);
  const input = { userCode: code, scope: 'read', expiresInDays: 7 };
  expect((await decide(`${home.base}/device-sign-ins`, input)).status).toBe(204);
  const { code: exit, out, err } = await ran;
  expect([exit, out]).toEqual([0, '']);
  expect(err).toContain(`as ${home.owner.person.email}, in Harbour Tools`);
  expect(err).not.toContain('slp_');
  expect((await home.terminal.run('whoami --json accessToken.scope')).lines()).toEqual([
    { 'accessToken.scope': 'read' },
  ]);
});

test('a refusal in the Console ends with exit code 4, and --no-browser opens no browser', async () => {
  const { code, pages, ran } = await logIn('login --no-browser');
  expect(pages).toEqual([]);
  expect((await decide('/api/device-sign-ins/deny', { userCode: code })).status).toBe(204);
  expect(await ran).toMatchObject({ code: 4, err: expect.stringContaining('refused in the Console') });
});

test('Ctrl-C while login waits ends with exit code 130', async () => {
  const had = new AbortController();
  const { ran } = await logIn('login', { interrupted: had.signal });
  had.abort();
  expect((await ran).code).toBe(130);
});

test('login reports an unreachable Console with exit code 5', async () => {
  const { code, err } = await home.terminal.run('login --console-url http://127.0.0.1:1', there);
  expect([code, err]).toEqual([5, expect.stringContaining('no answer from a Console')]);
});
