// A sandbox with a revocation journal. Each test has its own file and app, and a database without a journal line.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { runReopen } from '../../../test/restore.fixture.ts';
import { createJournalWriter } from './index.ts';

/** Registers the hooks of the file and returns the objects that they fill. */
export function useJournal() {
  const site = {} as { sandbox: Sandbox; folder: string; file: string; app: TestApp; write(): Promise<void> }; // filled by the hooks
  const query = async (text: string) => (await site.sandbox.database.superuser.query(text)).rows;
  const newWriter = () => createJournalWriter(site.sandbox.worker, site.file, site.sandbox.options.masterKeys);
  beforeAll(async () => {
    site.sandbox = await startSandbox();
    site.folder = mkdtempSync(join(tmpdir(), 'slipway-journal-'));
  });
  beforeEach(async () => {
    site.app = await site.sandbox.newApp();
    await query('delete from revocations');
    await query('update plane_state set journal_line = null, journal_mac = null');
    site.file = join(site.folder, `${site.app.id}.ndjson`);
    site.write = newWriter();
  });
  afterAll(async () => {
    rmSync(site.folder, { recursive: true });
    await site.sandbox.close();
  });

  const commandWith = (settings: Record<string, string>, ...args: string[]): Promise<string[]> =>
    runReopen({ SLIPWAY_SANDBOX_DATABASE_URL: site.sandbox.database.url, ...settings }, args);

  return Object.assign(site, {
    query,
    newWriter,
    commandWith,
    command(...args: string[]) {
      const { current, keys } = site.sandbox.options.masterKeys;
      return commandWith({ SLIPWAY_SANDBOX_MASTER_KEY: keys[current]?.reveal() ?? '' }, ...args);
    },
    linesOf: (of = site.file) =>
      readFileSync(of, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    gate: async () => (await query('select closed_because from plane_state'))[0]?.closed_because,
    open: () => query('update plane_state set closed_at = null, closed_because = null'),
    revoke: (id: string) => site.sandbox.manage('POST', `/apps/${site.app.id}/keys/${id}/revoke`),
    async statusOf(token: string): Promise<unknown> {
      const { status, body } = await site.sandbox.call('/v1/servers', token);
      return status === 200 ? 'works' : body.code;
    },
  });
}
