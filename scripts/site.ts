// `npm run docs`: builds the documentation site. `-- --base /` gives another base than `/docs`, `--out FOLDER` another
// folder than `docs/dist`, and `--console URL` the address of a Console to link to. Any static host serves the result.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSite } from './site/build.ts';

const { values } = parseArgs({
  options: { base: { type: 'string', default: '/docs' }, out: { type: 'string' }, console: { type: 'string' } },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const base = `/${values.base.replaceAll(/^\/+|\/+$/g, '')}/`.replace('//', '/');
// At its own base the site is served by the Console.
const consoleUrl = values.console ?? (base === '/docs/' ? '/' : undefined);
const out = values.out === undefined ? resolve(root, 'docs/dist') : resolve(values.out);
const beganMs = performance.now();
const count = await buildSite({ root, out, base, consoleUrl });
console.log(`Built ${count} pages in ${((performance.now() - beganMs) / 1000).toFixed(1)} s.`);
