// `npm run prove -- NAME [--json]`: runs prove/NAME.ts, which prints its checks and exits with code 1 if one fails.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stamp.mjs';

const name = process.argv[2];
const names = readdirSync(join(root, 'prove'))
  .filter((file) => file.endsWith('.ts') && file !== 'kit.ts')
  .map((file) => file.slice(0, -3));
if (!name || !names.includes(name)) {
  console.error(`usage: npm run prove -- NAME [--json]\nNAME is one of: ${names.join(', ')}`);
  process.exit(2);
}
process.chdir(root);
process.argv.splice(2, 1, `prove/${name}.ts`);
await import('./run-ts.mjs');
