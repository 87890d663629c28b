// The site for programs that read text: each page as Markdown, a list of all pages, and all guides in one file.
import type { Links } from './links.ts';
import { pagesOf, type Section, type SitePage } from './page.ts';

/** Returns the Markdown of a page with addresses of the site in its links. */
export function plainMarkdown(page: SitePage, links: Links): string {
  const text = page.markdown.replaceAll(/\]\(([^)\s]+)\)/g, (all, target: string) => {
    const address = links.resolve(page, target);
    return address === undefined || address === target ? all : `](${address})`;
  });
  return `${text.trim()}\n`;
}

/** Returns `llms.txt`: a title, a summary, and a link to the Markdown of every page (llmstxt.org). */
export function llmsIndex(sections: readonly Section[], base: string): string {
  const lists = sections.map((section) => {
    const items = pagesOf(section).map(({ title, slug }) => `- [${title}](${base}${slug}.md)`);
    return `## ${section.title}\n\n${items.join('\n')}`;
  });
  const about =
    '> A developer platform that you host yourself: sandbox API, keys, signed webhooks, request inspector and Console.';
  return `# Slipway\n\n${about}\n\nAll guides in one file: [llms-full.txt](${base}llms-full.txt)\n\n${lists.join('\n\n')}\n`;
}

/** Returns all guides. Pages of single operations, problems and decisions are left out: their indexes name them. */
export function llmsFull(sections: readonly Section[], links: Links): string {
  return `${sections
    .flatMap(({ pages }) => pages)
    .map((page) => plainMarkdown(page, links))
    .join('\n---\n\n')}`;
}
