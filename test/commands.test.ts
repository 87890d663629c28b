// The operator's commands, beside an installation that runs and for one that does not: what they print, their exit codes, and that
// what they promise holds in the server afterwards.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePlace, type Place, type Run } from './slipway.ts';
import { ask, listServers, readNote, signIn } from './visitor.ts';

interface Told {
  code: number | null;
  lines: string[];
  stderr: string;
}

async function command(place: Place, args: string[], settings: Record<string, string> = {}): Promise<Told> {
  const run = place.start(settings, args);
  const code = await run.exited;
  return { code, lines: run.stdout().split('\n').filter(Boolean), stderr: run.stderr() };
}

describe('beside one that runs in one process', () => {
  let place: Place;
  let run: Run;
  let key: string;
  beforeAll(async () => {
    place = await makePlace();
    run = place.start();
    await run.ready;
    key = readNote(place).key ?? '';
  });
  afterAll(() => place.remove());

  const kept = (): Record<string, string> => JSON.parse(readFileSync(`${place.dataDir}/secrets.json`, 'utf8'));
  async function stop(): Promise<void> {
    run.child.kill('SIGTERM');
    expect(await run.exited).toBe(0);
  }
  async function start(): Promise<void> {
    run = place.start();
    await run.ready;
  }

  test('check says whether it could start so, and its exit code does', async () => {
    const [well, ill] = [
      await command(place, ['check']),
      await command(place, ['check', 'worker', '--environment', 'sandbox']),
    ];
    expect([well.code, well.lines.every((line) => line.startsWith('ok  '))]).toEqual([0, true]);
    expect([ill.code, ill.lines[0]]).toEqual([
      1,
      expect.stringMatching(/^fail {2}SLIPWAY_SANDBOX_DATABASE_URL is missing/),
    ]);
  });

  test('the doctor finds it well, and says what is not set; of a folder without one it says so', async () => {
    const { code, lines } = await command(place, ['doctor']);
    expect(lines.filter((line) => line.startsWith('fail'))).toEqual([]);
    expect(code).toBe(0);
    for (const word of [
      'Whatever is sealed can be opened',
      'its pepper',
      's apart',
      'are free',
      'There is an operator',
    ]) {
      expect(lines.join('\n')).toContain(word);
    }
    expect(lines.find((line) => line.includes('SLIPWAY_SMTP_URL'))).toMatch(/^warn/);
    const elsewhere = mkdtempSync(join(tmpdir(), 'slipway-nothing-'));
    const nothing = await command(place, ['doctor'], { SLIPWAY_DATA_DIR: join(elsewhere, 'data') });
    rmSync(elsewhere, { recursive: true });
    expect([nothing.code, nothing.lines[0]]).toEqual([1, expect.stringMatching(/^fail {2}There is no data folder/)]);
  });

  test('the doctor finds a mail server that does not answer, and an open file of secrets', async () => {
    const mail = { SLIPWAY_SMTP_URL: 'smtp://127.0.0.1:1', SLIPWAY_MAIL_FROM: 'slipway@example.org' };
    chmodSync(`${place.dataDir}/secrets.json`, 0o644);
    const { code, lines } = await command(place, ['doctor'], mail);
    chmodSync(`${place.dataDir}/secrets.json`, 0o600);
    expect([code, lines.filter((line) => line.startsWith('fail'))]).toEqual([
      1,
      [
        expect.stringMatching(/secrets\.json can be read by others\. chmod 600/),
        expect.stringMatching(/The mail server does not: .*ECONNREFUSED/),
      ],
    ]);
  });

  test('create-operator prints a link that signs the person in once, as an operator', async () => {
    const { code, lines } = await command(place, ['create-operator', 'Ada@example.org']);
    expect([code, lines.length]).toEqual([0, 1]);
    const link = /\/sign-in#link=(\S+)$/.exec(lines[0] ?? '')?.[1] ?? '';
    const { status, cookie } = await signIn(place, link);
    expect(status).toBe(204);
    expect((await signIn(place, link)).status).toBe(401);
    const messages = await ask(`${place.consoleUrl}/api/operator/messages`, { headers: { cookie } });
    expect(messages.status).toBe(200);
    const wrong = await command(place, ['create-operator', 'nobody']);
    expect([wrong.code, wrong.stderr]).toEqual([1, 'slipway: "nobody" is not an e-mail address.\n']);
  });

  test('a rotation of pepper and master key goes on while anything needs the earlier ones, and not before Slipway knows the new', async () => {
    const before = kept();
    const began = await command(place, ['rotate-pepper']);
    expect(began.lines).toEqual([expect.stringMatching(/^The current pepper is version 2 now/)]);
    expect((await command(place, ['rotate-master-key'])).code).toBe(0);
    expect(kept()).toMatchObject({ otherPeppers: `1:${before.pepper}`, otherMasterKeys: `1:${before.masterKey}` });
    // The one that runs still works under the earlier ones.
    expect((await listServers(place, key)).status).toBe(200);
    const early = await command(place, ['rotate-pepper']);
    expect([early.code, early.lines]).toEqual([1, [expect.stringMatching(/has not been started with the new pepper/)]]);

    await stop();
    await start();
    const needed = await command(place, ['rotate-pepper']);
    expect([needed.code, needed.lines]).toEqual([1, [expect.stringMatching(/of version 1 is needed yet: 1 keys/)]]);
    expect((await listServers(place, key)).status).toBe(200);
    // What was used is under the new pepper now, at the latest when it stops; and these start its Postgres themselves.
    await stop();
    for (const name of ['rotate-pepper', 'rotate-master-key']) {
      const ended = await command(place, [name]);
      expect(ended).toMatchObject({ code: 0, lines: [expect.stringMatching(/^Nothing needs an earlier/)], stderr: '' });
      expect(place.postgres()).toBeUndefined();
    }
    const after = kept();
    expect(after).toMatchObject({ pepperVersion: '2', masterKeyVersion: '2' });
    expect([after.otherPeppers, after.otherMasterKeys]).toEqual([undefined, undefined]);
    await start();
    expect((await listServers(place, key)).status).toBe(200);
    expect((await command(place, ['doctor'])).code).toBe(0);
  });
});
