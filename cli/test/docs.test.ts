// `slipway docs`: which address it prints, and when it opens a browser.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
beforeAll(() => {
  terminal = newTerminal();
});
afterAll(() => terminal.remove());

test('prints the address of the documentation without a session', async () => {
  expect(await terminal.run('docs')).toMatchObject({ code: 0, out: 'http://localhost:3000/docs/\n', err: '' });
});

test('prints an address that searches for the words', async () => {
  const { out } = await terminal.run(['docs', 'rate limit', '--console-url', 'https://console.example.org']);
  expect(out).toBe('https://console.example.org/docs/?q=rate+limit\n');
});

test('opens a browser at a terminal only, and not with --no-browser', async () => {
  const opened: string[] = [];
  const onBrowser = (url: string): void => void opened.push(url);
  await terminal.run('docs', { onBrowser });
  await terminal.run('docs --no-browser', { onBrowser, isTerminal: true });
  expect(opened).toEqual([]);
  await terminal.run('docs', { onBrowser, isTerminal: true });
  expect(opened).toEqual(['http://localhost:3000/docs/']);
});

test('refuses a malformed address of a Console', async () => {
  expect(await terminal.run('docs --console-url nonsense')).toMatchObject({ code: 3, out: '' });
});
