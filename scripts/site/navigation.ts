// The order of the written pages. A document that no section names fails the build, so no page is lost.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page, titleOf } from './page.ts';

/** A file below `docs`, its address if that differs from its path, and additional search words. */
interface Written {
  file: string;
  slug?: string;
  keywords?: string;
}

const page = (file: string, keywords?: string): Written => ({ file, ...(keywords && { keywords }) });

export const WRITTEN: Record<string, readonly Written[]> = {
  Start: [page('getting-started.md', 'quickstart tutorial first steps')],
  Build: [page('inspector.md'), page('worlds.md'), page('live-access.md')],
  Webhooks: [page('receivers.md'), page('receiver-drill.md')],
  Reference: [page('metrics.md'), page('roles.md')],
  Operate: [page('operations.md'), page('production.md'), page('upgrading.md')],
  Security: [page('security-model.md')],
  Contribute: [page('architecture.md'), page('architecture/features.md')],
};

const isRecord = (path: string): boolean => /^decisions\//.test(path);

function readPage(root: string, { file, slug, keywords }: Written): Page {
  const source = `docs/${file}`;
  const markdown = readFileSync(join(root, source), 'utf8');
  return {
    slug: slug ?? file.replace(/\.md$/, ''),
    title: titleOf(markdown, source),
    markdown,
    source,
    ...(keywords && { keywords }),
  };
}

/** Reads the written pages of each section. Throws if a document below `docs` is in no section. */
export function readWritten(root: string): Map<string, Page[]> {
  const named = new Set(
    Object.values(WRITTEN)
      .flat()
      .map(({ file }) => file),
  );
  const found = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !path.startsWith('dist/') && !isRecord(path));
  const lost = found.filter((path) => !named.has(path));
  if (lost.length > 0)
    throw new Error(`scripts/site/navigation.ts must name each document. It lacks ${lost.join(', ')}.`);
  return new Map(
    Object.entries(WRITTEN).map(([section, pages]) => [section, pages.map((written) => readPage(root, written))]),
  );
}

/** Reads the decision records and their notes, in the order of their numbers. */
export function readDecisions(root: string): Page[] {
  const folder = join(root, 'docs/decisions');
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.md'))
      // the index first
      .sort((one, other) => Number(other === 'README.md') - Number(one === 'README.md') || one.localeCompare(other))
      .map((path) => ({
        ...readPage(root, { file: `decisions/${path}` }),
        weight: path === 'README.md' ? 0.6 : 0.15,
      }))
  );
}
