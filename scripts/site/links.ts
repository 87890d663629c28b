// Addresses inside the site. Documents link to files of the repository, so that the links also work on a forge;
// generated pages link to `/slug`.
import { posix } from 'node:path';
import type { SitePage } from './page.ts';

export interface Links {
  /**
   * Returns the address of a link. Returns undefined if the site has no such page: the link then becomes plain text.
   */
  resolve(page: SitePage, target: string): string | undefined;
  /** Links to missing pages or files of the site, as `source: target`. */
  broken: string[];
  /** Pictures on pages, relative to the root. */
  pictures: Set<string>;
}

/** Creates the resolver of the links. `base` begins and ends with a slash. */
export function createLinks(pages: readonly SitePage[], base: string): Links {
  const bySource = new Map(pages.flatMap((page) => (page.source ? [[page.source, page] as const] : [])));
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  const broken: string[] = [];
  const pictures = new Set<string>();

  const addressOf = (page: SitePage, anchor: string): string => `${base}${page.slug}/${anchor}`;

  return {
    broken,
    pictures,
    resolve(page, target) {
      if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target;
      const [path = '', hash] = target.split('#');
      const anchor = hash === undefined ? '' : `#${hash}`;
      if (path.startsWith('/')) {
        const found = bySlug.get(path.slice(1).replace(/\/$/, ''));
        if (path === '/') return base;
        if (!found) broken.push(`${page.source ?? page.slug}: ${target}`);
        return found && addressOf(found, anchor);
      }
      if (page.source === undefined) {
        broken.push(`${page.slug}: ${target}`);
        return undefined;
      }
      const file = posix.join(posix.dirname(page.source), path);
      const found = bySource.get(file) ?? bySource.get(`${file}/README.md`);
      if (found) return addressOf(found, anchor);
      if (/\.(png|svg|jpg)$/.test(file)) {
        pictures.add(file);
        return `${base}pictures/${posix.basename(file)}`;
      }
      // A file of the repository that is not a page, such as a test: its name is sufficient.
      return undefined;
    },
  };
}
