import { spawnSync } from 'node:child_process';
import { startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { temporaryFolder } from './kit.ts';
const folder = await temporaryFolder();
const pgx = await startEmbeddedPostgres({ dataDir: folder.path, log: () => {} });
const url = pgx.connection('postgres', pgx.superuserPassword, 'postgres');
for (const how of ['ctid', 'pk']) { const r = spawnSync('node', ['/tmp/crash.mjs', url, how]); console.log(how, String(r.stdout), String(r.stderr)); await new Promise((r2) => setTimeout(r2, 3000)); }
await pgx.stop(); await folder.remove();
