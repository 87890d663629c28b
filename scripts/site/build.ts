// Builds the site into a folder, atomically. A link to a missing page or anchor fails the build.
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { LICENCES_FILE } from '../licences.mjs';
import { type Asset, bundleScript, hashed, readStyle } from './assets.ts';
import { homePage } from './home.ts';
import { documentOf, type Site } from './layout.ts';
import { createLinks, type Links } from './links.ts';
import { llmsFull, llmsIndex, plainMarkdown } from './llms.ts';
import { type RenderedPage, render } from './markdown.ts';
import { pagesOf, type SitePage } from './page.ts';
import { indexOf } from './search.ts';
import { readSections } from './sections.ts';

export interface SiteOptions {
  /** The folder of the repository. */
  root: string;
  out: string;
  /** Begins and ends with a slash. */
  base: string;
  consoleUrl: string | undefined;
}

/** Builds the site. Returns the number of pages. */
export async function buildSite({ root, out, base, consoleUrl }: SiteOptions): Promise<number> {
  const sections = await readSections(root);
  const home = homePage(sections);
  const pages = [home, ...sections.flatMap(pagesOf)];
  refuseDuplicateSlugs(pages);
  const links = createLinks(pages, base);
  const rendered = pages.map((page) => ({ page, rendered: render(page, links) }));
  refuseBrokenLinks(links, rendered, base);

  const client = join(root, 'scripts/site/client');
  const style = readStyle(client);
  const theme = await bundleScript(client, 'theme', 'iife');
  const script = await bundleScript(client, 'site', 'esm');
  const index = hashed('search', 'json', indexOf(rendered));
  const address = ({ path }: Asset): string => base + path;
  const site: Site = {
    ...{ base, consoleUrl, sections },
    assets: { style: address(style), theme: address(theme), script: address(script), index: address(index) },
  };

  const files = new Map<string, string>();
  for (const { path, content } of [style, theme, script, index]) files.set(path, content);
  for (const one of rendered) {
    const { slug } = one.page;
    files.set(slug === '' ? 'index.html' : `${slug}/index.html`, documentOf(site, one.page, one.rendered));
    files.set(`${slug === '' ? 'index' : slug}.md`, plainMarkdown(one.page, links));
  }
  const missing: SitePage = {
    slug: '404',
    title: 'Page not found',
    markdown:
      '# Page not found\n\nThe documentation has no page at this address. Search for it, or begin at the [first page](/).',
  };
  files.set('404.md', plainMarkdown(missing, links));
  files.set('404.html', documentOf(site, missing, render(missing, links)));
  files.set(LICENCES_FILE, script.licences);
  files.set('llms.txt', llmsIndex(sections, base));
  files.set('llms-full.txt', llmsFull(sections, links));
  write(out, files, (folder) => {
    for (const picture of links.pictures) copy(join(root, picture), join(folder, 'pictures', basename(picture)));
    copy(join(root, 'console/public/favicon.svg'), join(folder, 'favicon.svg'));
    copy(join(root, 'contract/app-file.schema.json'), join(folder, 'app-file.schema.json'));
  });
  return pages.length;
}

function write(out: string, files: ReadonlyMap<string, string>, addMore: (folder: string) => void): void {
  const unfinished = `${out}.new-${process.pid}`;
  try {
    for (const [path, content] of files) {
      const file = join(unfinished, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      writeFileSync(`${file}.br`, compress(content));
    }
    addMore(unfinished);
    rmSync(out, { recursive: true, force: true });
    renameSync(unfinished, out);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

// Quality 5 of 11, because the highest quality takes seconds for all pages.
const compress = (text: string): Buffer =>
  brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  });

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function refuseDuplicateSlugs(pages: readonly SitePage[]): void {
  const slugs = pages.map(({ slug }) => slug);
  const twins = slugs.filter((slug, at) => slugs.indexOf(slug) !== at);
  if (twins.length > 0) throw new Error(`Two pages have the same address: ${twins.join(', ')}.`);
}

function refuseBrokenLinks(
  links: Links,
  rendered: readonly { page: SitePage; rendered: RenderedPage }[],
  base: string,
): void {
  const anchors = new Map(
    rendered.map(({ page, rendered: one }) => [
      `${base}${page.slug === '' ? '' : `${page.slug}/`}`,
      new Set(one.headings.map(({ anchor }) => anchor)),
    ]),
  );
  const lost = rendered.flatMap(({ page, rendered: { html } }) =>
    [...html.matchAll(/href="([^"#]*)#([^"]+)"/g)]
      .filter(([, path = '', anchor = '']) => {
        const known = anchors.get(path === '' ? `${base}${page.slug === '' ? '' : `${page.slug}/`}` : path);
        return known !== undefined && !known.has(decodeURIComponent(anchor));
      })
      .map(([, path, anchor]) => `${page.source ?? page.slug}: ${path}#${anchor}`),
  );
  const broken = [...links.broken, ...lost];
  if (broken.length > 0) throw new Error(`Links lead to no page or heading:\n${broken.join('\n')}`);
}
