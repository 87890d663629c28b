// Viewers of OpenAPI documents: each shows both documents in a browser without an error.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../../test/browser/chromium.ts';
import type { Check } from '../kit.ts';
import { installNpm, versionOf } from './commands.ts';
import type { Target } from './target.ts';

interface Renderer {
  name: string;
  package: string;
  /** The body of a page that shows the document at this path. */
  body(document: string): string;
}

const RENDERERS: readonly Renderer[] = [
  {
    name: 'Redoc',
    package: 'redoc',
    body: (document) =>
      `<redoc spec-url="${document}"></redoc><script src="/node_modules/redoc/bundles/redoc.standalone.js"></script>`,
  },
  {
    name: 'Scalar',
    package: '@scalar/api-reference',
    body: (document) => `<div id="app"></div>
<script src="/node_modules/@scalar/api-reference/dist/browser/standalone.js"></script>
<script>Scalar.createApiReference('#app', { url: '${document}', withDefaultFonts: false, telemetry: false });</script>`,
  },
  {
    name: 'Swagger UI',
    package: 'swagger-ui-dist',
    // With closed tags: of a long list of operations, Swagger UI adds the end to the page only after the reader scrolls.
    body: (document) => `<link rel="stylesheet" href="/node_modules/swagger-ui-dist/swagger-ui.css"><div id="app"></div>
<script src="/node_modules/swagger-ui-dist/swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: '${document}', dom_id: '#app', docExpansion: 'none' });</script>`,
  },
  {
    name: 'Elements',
    package: '@stoplight/elements',
    body: (document) => `<link rel="stylesheet" href="/node_modules/@stoplight/elements/styles.min.css">
<script src="/node_modules/@stoplight/elements/web-components.min.js"></script>
<elements-api apiDescriptionUrl="${document}" router="hash" layout="stacked"></elements-api>`,
  },
];

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.html': 'text/html; charset=utf-8',
};

async function serve(folder: string): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const type = TYPES[extname(path)];
    try {
      const content = readFileSync(join(folder, path));
      response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(content);
    } catch {
      response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }; // a TCP address
}

/** Opens a page. Returns its errors, and an error if it does not show the title and the tags of the document. */
async function faultsOf(browser: Browser, url: string, texts: readonly string[]): Promise<string[]> {
  // The locale of the machine can be one that browsers do not know, such as C.
  const page = await browser.newPage({ locale: 'en-GB' });
  // Answers for other hosts: the logo or the font of a viewer is no part of the document.
  await page.route(
    (address) => address.origin !== new URL(url).origin,
    (route) => route.fulfill({ status: 204 }),
  );
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  try {
    await page.goto(url);
    for (const text of texts) {
      // A viewer shows the version after the title. No title and no tag has a character with a meaning in expressions.
      await page
        .getByText(new RegExp(`^\\s*${text}\\b`))
        .first()
        .waitFor({ state: 'attached', timeout: 60_000 });
    }
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  } finally {
    await page.close();
  }
  return faults;
}

export async function checkRenderers({ documents }: Target, folder: string): Promise<Check[]> {
  mkdirSync(folder);
  await installNpm(
    folder,
    RENDERERS.map((renderer) => renderer.package),
  );
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, `${name}.json`), text);
  const { url, server } = await serve(folder);
  const browser = await launchChromium(await findChromium());
  const checks: Check[] = [];
  try {
    for (const renderer of RENDERERS) {
      for (const [name, text] of Object.entries(documents)) {
        const { info, tags } = JSON.parse(text) as { info: { title: string }; tags: { name: string }[] };
        const file = `${renderer.package.replaceAll('/', '-')}-${name}.html`;
        const head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A document</title></head>';
        writeFileSync(join(folder, file), `${head}<body>${renderer.body(`/${name}.json`)}</body></html>`);
        const texts = [info.title, ...tags.map((tag) => tag.name)];
        const faults = await faultsOf(browser, `${url}/${file}`, texts);
        checks.push({
          name: `${renderer.name} ${versionOf('npm', renderer.package)} shows the document of ${name}`,
          ok: faults.length === 0,
          figure: faults.join('; ') || `title and ${tags.length} tags, no error`,
        });
      }
    }
  } finally {
    await browser.close();
    server.close();
  }
  return checks;
}
