// The documents of the Console: for each page one that has its first picture, names the code that it will need, and waits for the
// colour scheme before it shows anything. The server sends the one of the address (server/src/listeners/pages.ts).
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './stamp.mjs';

const CONSOLE = join(root, 'console');
const DIST = join(CONSOLE, 'dist');
const DRAWING = join(root, '.build/first-pictures');

/** After the Console itself was built: writes console/dist/pages/ and index.html anew. */
export async function addFirstPictures() {
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
  rmSync(join(DIST, '.vite'), { recursive: true });
  const script = await buildScript();
  const plain = pictureFirst(readFileSync(join(DIST, 'index.html'), 'utf8'), script);
  writeFileSync(join(DIST, 'index.html'), plain);
  mkdirSync(join(DIST, 'pages'));
  const pages = (await draw()).map(({ path, html, isForMembers, modules }) => {
    const file = `pages/${path.slice(1).replaceAll(/[/:]+/g, '-') || 'home'}.html`;
    writeFileSync(join(DIST, file), documentOf(plain, html, filesOf(manifest, modules)));
    return { path, file, isForMembers };
  });
  writeFileSync(join(DIST, 'pages.json'), JSON.stringify(pages));
}

/** What the first picture needs comes before the code, which would take most of a slow line from it: of that only the largest file begins. */
function pictureFirst(html, script) {
  const [styles] = /<link rel="stylesheet".*?>/.exec(html) ?? [];
  if (!styles) throw new Error('The build has no styles.');
  return html
    .replace(styles, '')
    .replace('</title>', `</title>\n    ${script}\n    ${styles}`)
    .replaceAll(/<(script type="module"|link rel="modulepreload"(?!.*libraries))/g, '<$1 fetchpriority="low"');
}

/** A script that the browser waits for: as small as it can be, and without anything that it would have to load. */
async function buildScript() {
  const { build } = await import('rolldown');
  const { output } = await build({
    input: join(CONSOLE, 'src/before-first-picture.ts'),
    write: false,
    output: { format: 'iife', minify: true },
  });
  const { code } = output[0];
  const name = `before-first-picture-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  writeFileSync(join(DIST, 'assets', name), code);
  return `<script src="/assets/${name}"></script>`;
}

/** The pages of each environment by a program of its own: a document is in one from its first moment (console/src/kit/here.ts). */
async function draw() {
  const { build } = await import('vite');
  await build({
    root: CONSOLE,
    logLevel: 'warn',
    plugins: [nameModules],
    ssr: { noExternal: true },
    build: {
      ssr: 'src/first-pictures.tsx',
      outDir: DRAWING,
      emptyOutDir: true,
      copyPublicDir: false,
      manifest: false,
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'draw.js' } },
    },
  });
  const drawn = [];
  for (const environment of ['sandbox', 'production']) {
    globalThis.location = { pathname: `/${environment}`, origin: 'http://localhost', search: '', hash: '' };
    const { drawFirstPictures } = await import(`${pathToFileURL(join(DRAWING, 'draw.js'))}?${environment}`);
    drawn.push(...(await drawFirstPictures()));
  }
  delete globalThis.location;
  return drawn;
}

/** Tells of a route's component which module it is in. */
const nameModules = {
  name: 'name-modules',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/src\/app\/[\w-]+\.tsx$/.test(id)) return null;
    const named = code.replaceAll(
      /lazyRouteComponent\(\s*\(\) => import\('\.\.\/([^']+)'\),\s*'\w+',?\s*\)/g,
      (found, path) => `Object.assign(${found}, { module: 'src/${path}' })`,
    );
    return { code: named, map: null };
  },
};

/** What the browser will ask for once the code has come, to be asked for beside it. */
function filesOf(manifest, modules) {
  const files = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const one of chunk.imports ?? []) visit(one);
  };
  for (const module of modules) visit(module);
  return [...files];
}

function documentOf(plain, html, files) {
  const links = files
    .filter((file) => !plain.includes(file))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="/${file}">`
        : `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`,
    );
  // Nobody can do anything with it before the code has come, and keyboards, pointers and screen readers are told so.
  return plain
    .replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', (empty) =>
      html ? `<div id="root"><div inert aria-hidden="true">${html}</div></div>` : empty,
    );
}
