// The CLI with a server that has the contract of an operator: keys, endpoints and the file of `apply` take its names.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SignedOut } from './signed-out.ts';
import type { Ran } from './terminal.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('../../server/test/contracts/spaces', import.meta.url).pathname;
});
const { openConsole } = await import('./signed-out.ts');

const FILE = `app: Bridge
keys:
  - name: bridge
    scopes: [tasks:read, events:read]
    expiresInDays: 30
endpoints:
  - url: https://bridge.example.org/hooks
    key: bridge
    eventTypes: [task.created]
faults:
  - operationId: createTask
    effect: { latencyMs: 50 }
`;

let home: SignedOut;
beforeAll(async () => {
  home = await openConsole();
  await home.terminal.run('login --with-token', { stdin: home.token });
});
afterAll(() => home.close());

function apply(text: string): Promise<Ran> {
  const file = join(dirname(home.terminal.configFile), 'app.yaml');
  writeFileSync(file, text);
  return home.terminal.run(['apply', '-f', file]);
}

test('the file of apply takes names of the served contract, and refuses others before any change', async () => {
  const refused = await apply(FILE.replace('tasks:read', 'tickets:create'));
  expect([refused.code, refused.err]).toEqual([
    3,
    expect.stringContaining('app.yaml:4: keys[0].scopes[0] must be one of spaces:read, spaces:write, tasks:read,'),
  ]);
  const applied = await apply(FILE);
  expect(applied.lines().map(({ action, kind, name }) => `${action} ${kind} ${name}`)).toEqual([
    'create app Bridge',
    'create key bridge',
    'create endpoint https://bridge.example.org/hooks',
    'create fault createTask {"latencyMs":50}',
  ]);
});

test('a key is created with scopes of the served contract', async () => {
  const made = await home.terminal.run(
    'keys create --app Bridge --name Reader --scopes plans:read --expires-in-days 1',
  );
  expect([made.code, made.err]).toEqual([0, expect.anything()]);
  const keys = (await home.terminal.run('keys list --app Bridge')).lines();
  expect(keys.map(({ scopes }) => scopes)).toContainEqual(['plans:read']);
});
