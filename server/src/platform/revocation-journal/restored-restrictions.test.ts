// Restrictions of organisations after a restore of production: the journal names the server and the scope, and not a
// grant.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { useInstalledApp } from '../../../test/installed-app.fixture.ts';
import { backUp, runReopen } from '../../../test/restore.fixture.ts';
import { createJournalWriter } from './index.ts';

const { production, app, server, serverAt, state, restrict, grantOn, read, call, query } = useInstalledApp();
const folder = mkdtempSync(join(tmpdir(), 'slipway-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

let file: string;
let write: () => Promise<void>;
/** Prepares a journal with one line, which the following backup has recorded. */
beforeEach(async () => {
  await query('delete from revocations');
  await query('update plane_state set journal_line = null, journal_mac = null');
  file = join(folder, app().id);
  write = createJournalWriter(production().worker, file, production().options.masterKeys);
  await state(serverAt(1), 'authorised');
  await state(serverAt(1), 'paused');
  await write();
});

async function reopen(...args: string[]): Promise<string> {
  const { current, keys } = production().options.masterKeys;
  const settings = {
    SLIPWAY_PRODUCTION_DATABASE_URL: production().database.url,
    SLIPWAY_PRODUCTION_MASTER_KEY: keys[current]?.reveal() ?? '',
  };
  const [printed = ''] = await runReopen(settings, ['--environment', 'production', ...args]);
  return printed;
}
/** Makes the changes after a backup, restores the backup and applies the journal. */
async function restoreAfter(change: () => Promise<unknown>): Promise<string> {
  const backup = await backUp(production().database, 'plane');
  await change();
  await write();
  await backup.restore('restore');
  await backup.drop();
  return reopen('--yes', '--journal', file);
}
const lines = (): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a restriction returns from the journal if the upstream API withheld the server at that time', async () => {
  await state(server(), 'paused');
  await write();
  const printed = await restoreAfter(() => restrict(server(), 'paused', undefined, 'A leaked laptop.'));
  expect(printed).toMatch(/1 lines of the journal applied \(1 restriction\.paused\)/);
  expect(lines().at(-1)).toMatchObject({ kind: 'restriction.paused', scope: '*' });
  expect(JSON.stringify(lines())).not.toContain('laptop');
  await state(server(), 'authorised');
  expect([await read(), (await grantOn(server())).restrictions.length]).toEqual(['installation_paused', 1]);
});

test('a restriction returns from the journal for a server that the backup does not know, and lifting it grants access', async () => {
  const fresh = serverAt(2);
  await restoreAfter(async () => {
    await state(fresh, 'authorised');
    await restrict(fresh, 'paused');
    await restrict(fresh, 'revoked');
    await restrict(fresh, 'paused', 'servers:read');
  });
  await state(fresh, 'authorised');
  const grant = await grantOn(fresh);
  expect(grant.installation).toBeNull();
  expect(grant.upstream?.state).toBe('authorised');
  expect(grant.restrictions.map(({ scope, state: withheld }) => [scope, withheld])).toEqual([
    [null, 'revoked'],
    ['servers:read', 'paused'],
  ]);
  expect((await restrict(fresh, 'authorised')).body.installation?.state).toBe('authorised');
  expect((await call(`/v1/servers/${fresh}`)).body.code).toBe('installation_paused');
  expect((await restrict(fresh, 'authorised', 'servers:read')).status).toBe(200);
  expect((await call(`/v1/servers/${fresh}`)).body.code).toBeUndefined();
});

test('a restriction returns from the journal for a scope that the upstream API granted after the backup', async () => {
  await state(server(), 'authorised', { 'servers:read': 'revoked' });
  await write();
  await restoreAfter(async () => {
    await state(server(), 'authorised');
    await restrict(server(), 'revoked', 'servers:read');
  });
  await state(server(), 'authorised');
  expect(await read()).toBe('installation_revoked');
});

test('a restriction that was tightened after the backup returns tightened, and a loosened restriction stays as in the backup', async () => {
  await restrict(serverAt(0), 'paused');
  await restrict(serverAt(1), 'revoked');
  await write();
  await restoreAfter(async () => {
    await restrict(serverAt(0), 'revoked');
    await restrict(serverAt(1), 'paused');
  });
  expect((await grantOn(serverAt(0))).restrictions).toMatchObject([{ state: 'revoked' }]);
  expect((await grantOn(serverAt(1))).restrictions).toMatchObject([{ state: 'revoked' }]);
});

test('reopen without a journal restricts servers that the upstream API withheld at the time of the backup', async () => {
  await state(serverAt(2), 'revoked');
  await state(server(), 'authorised', { 'servers:read': 'revoked' });
  const backup = await backUp(production().database, 'plane');
  await backup.restore('restore');
  await backup.drop();
  const counted = await reopen();
  expect(counted).toMatch(/^Production: would revoke \d+ keys, /);
  const done = await reopen('--yes');
  expect(done).toMatch(/^Production: \d+ keys revoked, .*\. The gate is open\.$/);
  expect(done.match(/\d+/g)).toEqual(counted.match(/\d+/g));
  await state(serverAt(2), 'authorised');
  await state(server(), 'authorised');
  expect((await grantOn(serverAt(2))).installation?.state).not.toBe('authorised');
  await restrict(server(), 'authorised');
  const { token } = await app().key();
  expect((await production().call(`/v1/servers/${server()}`, token)).body.code).toBe('installation_paused');
});
