// `node scripts/copy-distribution.mjs FOLDER`: copies exactly the files of the built repository that a server needs to
// run, for the container image. The bundle contains its dependencies, without an embedded Postgres.
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './stamp.mjs';

const NEEDED = [
  'LICENSE',
  'server/package.json',
  'server/bin',
  'server/dist',
  'server/migrations',
  'console/dist',
  'docs/dist',
];

const [folder] = process.argv.slice(2);
if (!folder || existsSync(folder)) {
  console.error(folder ? `${folder} is there already.` : 'usage: node scripts/copy-distribution.mjs FOLDER');
  process.exit(2);
}
const missing = NEEDED.find((path) => !existsSync(join(root, path)));
if (missing) {
  console.error(`${missing} is not there. Run: npm run build`);
  process.exit(1);
}
for (const path of NEEDED) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  // Source maps refer to the sources, which are not copied.
  cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith('.map') });
}
