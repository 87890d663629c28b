// The operator's commands next to a running installation: their output, their exit codes, and their effects on the
// server. server/test/commands.test.ts covers their findings about databases.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, root, type SlipwayInstance } from './slipway.ts';
import { ask, signIn } from './visitor.ts';

interface CommandResult {
  code: number | null;
  lines: string[];
  stderr: string;
}

async function command(
  instance: SlipwayInstance,
  args: string[],
  settings: Record<string, string> = {},
): Promise<CommandResult> {
  const run = instance.start(settings, args);
  const code = await run.exited;
  return { code, lines: run.stdout().split('\n').filter(Boolean), stderr: run.stderr() };
}

describe('commands next to an installation in one process', () => {
  let instance: SlipwayInstance;
  beforeAll(async () => {
    instance = await createInstance(copyPreparedData);
    await instance.start().ready;
  });
  afterAll(() => instance.remove());

  test('check reports if a start would succeed, also by its exit code', async () => {
    const [well, ill] = [
      await command(instance, ['check']),
      await command(instance, ['check', 'worker', '--environment', 'sandbox']),
    ];
    expect([well.code, well.lines.every((line) => line.startsWith('ok  '))]).toEqual([0, true]);
    expect([ill.code, ill.lines[0]]).toEqual([
      1,
      expect.stringMatching(/^fail {2}SLIPWAY_SANDBOX_DATABASE_URL is missing/),
    ]);
  });

  test('doctor reports no failure, warns of missing settings, and fails for a missing data folder', async () => {
    const { code, lines } = await command(instance, ['doctor']);
    expect(lines.filter((line) => line.startsWith('fail'))).toEqual([]);
    expect(code).toBe(0);
    for (const word of [
      'All sealed values can be opened',
      'its pepper',
      'differ by',
      'are free',
      'There is an operator',
      'Workers that are running: 1.',
    ]) {
      expect(lines.join('\n')).toContain(word);
    }
    expect(lines.find((line) => line.includes('SLIPWAY_SMTP_URL'))).toMatch(/^warn/);
    const elsewhere = mkdtempSync(join(tmpdir(), 'slipway-nothing-'));
    const nothing = await command(instance, ['doctor'], { SLIPWAY_DATA_DIR: join(elsewhere, 'data') });
    rmSync(elsewhere, { recursive: true });
    expect([nothing.code, nothing.lines[0]]).toEqual([1, expect.stringMatching(/^fail {2}There is no data folder/)]);
  });

  test('doctor detects an unreachable mail server and a readable file of secrets', async () => {
    const mail = { SLIPWAY_SMTP_URL: 'smtp://127.0.0.1:1', SLIPWAY_MAIL_FROM: 'slipway@example.org' };
    chmodSync(`${instance.dataDir}/secrets.json`, 0o644);
    const { code, lines } = await command(instance, ['doctor'], mail);
    chmodSync(`${instance.dataDir}/secrets.json`, 0o600);
    expect([code, lines.filter((line) => line.startsWith('fail'))]).toEqual([
      1,
      [
        expect.stringMatching(/secrets\.json can be read by others\. chmod 600/),
        expect.stringMatching(/The mail server accepts no messages: .*ECONNREFUSED/),
      ],
    ]);
  });

  test('the commands of the upgrade notes succeed in their order', async () => {
    const notes = readFileSync(join(root, 'docs/operate/upgrades.md'), 'utf8');
    const commands = [...notes.matchAll(/```sh\n\s*slipway-server (.+)\n\s*```/g)].map(([, args = '']) =>
      args.split(' '),
    );
    expect(commands).toEqual([['check'], ['migrate'], ['doctor']]);
    for (const args of commands) expect((await command(instance, args)).code).toBe(0);
  });

  test('create-operator prints a link that signs the person in once, as an operator', async () => {
    const { code, lines } = await command(instance, ['create-operator', 'Ada@example.org']);
    expect([code, lines.length]).toEqual([0, 1]);
    const link = /\/sign-in#link=(\S+)$/.exec(lines[0] ?? '')?.[1] ?? '';
    const { status, cookie } = await signIn(instance, link);
    expect(status).toBe(204);
    expect((await signIn(instance, link)).status).toBe(401);
    const messages = await ask(`${instance.consoleUrl}/api/operator/messages`, { headers: { cookie } });
    expect(messages.status).toBe(200);
    const wrong = await command(instance, ['create-operator', 'ada']);
    expect([wrong.code, wrong.stderr]).toEqual([1, 'slipway: "ada" is not an e-mail address.\n']);
  });
});
