// `node scripts/lay-out.mjs FOLDER`: what of the built repository a server needs to run, and nothing else: the container image's files. The
// bundle holds its dependencies, and an embedded Postgres is not among them.
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './stamp.mjs';

const NEEDED = ['LICENSE', 'server/package.json', 'server/bin', 'server/dist', 'server/migrations', 'console/dist'];

const [folder] = process.argv.slice(2);
if (!folder || existsSync(folder)) {
  console.error(folder ? `${folder} is there already.` : 'usage: node scripts/lay-out.mjs FOLDER');
  process.exit(2);
}
const missing = NEEDED.find((path) => !existsSync(join(root, path)));
if (missing) {
  console.error(`${missing} is not there. Run: npm run build`);
  process.exit(1);
}
for (const path of NEEDED) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  // Source maps tell stack traces where they come from in a checkout, which is not here.
  cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith('.map') });
}
