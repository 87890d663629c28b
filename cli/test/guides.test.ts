// Runs the commands of docs/build/app-file.md in their order, with the file that the page shows, those of the README
// about `slipway api`, and those of docs/build/mcp.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConsole, type SignedOut } from './signed-out.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, other, bare]) => one ?? other ?? bare ?? '');
const page = read('../../docs/build/app-file.md');
const blocks = (language: string, text = page): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);

let home: SignedOut;
beforeAll(async () => {
  home = await openConsole();
  await home.terminal.run('login --with-token', { stdin: home.token });
});
afterAll(() => home.close());

test('the commands of the page about the file of an app end as the page says', async () => {
  const file = join(dirname(home.terminal.configFile), 'app.yaml');
  writeFileSync(file, blocks('yaml app.yaml')[0] ?? '');
  const run = (line: string) =>
    home.terminal.run(
      line
        .trim()
        .replace(/^slipway /, '')
        .replace('app.yaml', file),
    );
  const commands = blocks('sh');
  const codes = [];
  for (const line of commands) codes.push((await run(line)).code);
  expect(commands.map((line) => line.trim())).toEqual(['slipway diff -f app.yaml', 'slipway apply -f app.yaml']);
  expect(codes).toEqual([7, 0]);
  expect((await run(commands[0] ?? '')).code).toBe(0);
  writeFileSync(file, (blocks('yaml app.yaml')[0] ?? '').replace('ticket.closed', 'ticket.close'));
  const [shown = ''] = blocks('text');
  expect((await run(commands[0] ?? '')).err.replace(file, 'app.yaml')).toContain(shown.split(' ...')[0]);
});

test('the commands of the README about slipway api succeed', async () => {
  await home.terminal.run('apps create --name Other');
  await home.terminal.run('use Other');
  const part = read('../README.md').split('## Call an operation')[1] ?? '';
  const lines = (blocks('sh', part)[0] ?? '').trim().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect([line, (await home.terminal.run(words(line).slice(1))).code]).toEqual([line, 0]);
  }
});

test('the commands of the page about assistants succeed', async () => {
  await home.terminal.run(['apps', 'create', '--name', 'My app']);
  home.terminal.env.SLIPWAY_CONSOLE_URL = home.url;
  const lines = blocks('sh', read('../../docs/build/mcp.md')).flatMap((block) => block.trim().split(/\n\s*/));
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    const [command = '', input] = line.split(' < ');
    const ran = await home.terminal.run(words(command).slice(1), input === undefined ? {} : { stdin: home.token });
    expect([line, ran.code]).toEqual([line, 0]);
  }
});
