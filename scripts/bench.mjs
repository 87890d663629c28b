// `npm run bench -- NAME`: runs bench/NAME.ts. Builds only the script itself.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const name = process.argv[2];
const HELPERS =
  'bare-receiver bench-database dispatch end-to-end-load end-to-end-parts end-to-end-receiver gateway-serve gateway-servers inspector-queries kit load many-deliveries many-keys many-records pace plain-client plane post product publishing receive requests rounds secrets serve server usage webhooks-many webhooks-parts without-indexes world';
const NOT_A_BENCH = new Set(HELPERS.split(' '));
if (!name || NOT_A_BENCH.has(name) || !existsSync(join(root, 'bench', `${name}.ts`))) {
  const names = readdirSync(join(root, 'bench'))
    .filter((file) => /^[\w-]+\.ts$/.test(file))
    .map((file) => file.slice(0, -3));
  console.error(
    `usage: npm run bench -- NAME [--json]\nNAME is one of: ${names.filter((one) => !NOT_A_BENCH.has(one)).join(', ')}`,
  );
  process.exit(2);
}
process.argv.splice(2, 1, `bench/${name}.ts`);
await import('./run-ts.mjs');
