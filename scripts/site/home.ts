// The first page: each section with its pages.
import type { Section, SitePage } from './page.ts';

export function homePage(sections: readonly Section[]): SitePage {
  const lists = sections.map(({ title, pages, groups }) => {
    const more =
      groups && groups.length > 0
        ? [`- and ${groups.reduce((sum, group) => sum + group.pages.length, 0)} more pages`]
        : [];
    return [`## ${title}`, [...pages.map((page) => `- [${page.title}](/${page.slug})`), ...more].join('\n')].join(
      '\n\n',
    );
  });
  const about =
    'Slipway is a developer platform that you host yourself: a sandbox API, keys with scopes, signed webhooks, a request inspector and a Console, on one Postgres.';
  const markdown = ['# Slipway documentation', about, ...lists].join('\n\n');
  return { slug: '', title: 'Slipway documentation', markdown, weight: 0.2 };
}
