// Writes the documents of the Console. Each page has a document with prerendered content and the names of its code
// files, which waits for the colour scheme before it is shown. The server sends the document of the address
// (server/src/listeners/pages.ts).
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './stamp.mjs';

const CONSOLE = join(root, 'console');
const DIST = join(CONSOLE, 'dist');
const RENDERER_FOLDER = join(root, '.build/prerender');

/** Writes console/dist/pages/ and index.html after the Console itself was built. */
export async function prerenderConsole() {
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
  rmSync(join(DIST, '.vite'), { recursive: true });
  const script = await buildScript();
  const plain = loadContentFirst(readFileSync(join(DIST, 'index.html'), 'utf8'), script);
  writeFileSync(join(DIST, 'index.html'), plain);
  mkdirSync(join(DIST, 'pages'));
  const pages = (await renderPages()).map(({ path, html, isForMembers, modules }) => {
    const file = `pages/${path.slice(1).replaceAll(/[/:]+/g, '-') || 'home'}.html`;
    writeFileSync(join(DIST, file), documentOf(plain, html, filesOf(manifest, modules)));
    return { path, file, isForMembers };
  });
  writeFileSync(join(DIST, 'pages.json'), JSON.stringify(pages));
}

/**
 * Moves the resources of the prerendered content before the code, which would take most of a slow connection. Only the
 * largest file of the code begins to load.
 */
function loadContentFirst(html, script) {
  const [styles] = /<link rel="stylesheet".*?>/.exec(html) ?? [];
  if (!styles) throw new Error('The build has no styles.');
  return html
    .replace(styles, '')
    .replace('</title>', `</title>\n    ${script}\n    ${styles}`)
    .replaceAll(/<(script type="module"|link rel="modulepreload"(?!.*libraries))/g, '<$1 fetchpriority="low"');
}

/** Builds a script that blocks rendering: as small as possible, and without imports. */
async function buildScript() {
  const { build } = await import('rolldown');
  const { output } = await build({
    input: join(CONSOLE, 'src/before-first-paint.ts'),
    write: false,
    output: { format: 'iife', minify: true },
  });
  const { code } = output[0];
  const name = `before-first-paint-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  writeFileSync(join(DIST, 'assets', name), code);
  return `<script src="/assets/${name}"></script>`;
}

/**
 * Renders the pages of each environment with a separate program, because a document stays in one environment
 * (console/src/kit/environment-path.ts).
 */
async function renderPages() {
  const { build } = await import('vite');
  await build({
    root: CONSOLE,
    logLevel: 'warn',
    plugins: [nameModules],
    ssr: { noExternal: true },
    build: {
      ssr: 'src/prerender.tsx',
      outDir: RENDERER_FOLDER,
      emptyOutDir: true,
      copyPublicDir: false,
      manifest: false,
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'draw.js' } },
    },
  });
  const drawn = [];
  for (const environment of ['sandbox', 'production']) {
    globalThis.location = { pathname: `/${environment}`, origin: 'http://localhost', search: '', hash: '' };
    const { prerenderPages } = await import(`${pathToFileURL(join(RENDERER_FOLDER, 'draw.js'))}?${environment}`);
    drawn.push(...(await prerenderPages()));
  }
  delete globalThis.location;
  return drawn;
}

/** Adds the name of its module to a route's component. */
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

/** Returns the files that the browser will request after the code, so that it can preload them. */
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
  // The content cannot be used before the code has loaded, so it is inert and hidden from screen readers.
  return plain
    .replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', (empty) =>
      html ? `<div id="root"><div inert aria-hidden="true">${html}</div></div>` : empty,
    );
}
