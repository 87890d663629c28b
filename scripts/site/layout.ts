// The HTML around a page: header with search, navigation, contents and the pages before and after. It needs no inline
// script or style.
import type { Heading, RenderedPage } from './markdown.ts';
import { breakableHtml, escapeHtml, pagesOf, type Section, type SitePage } from './page.ts';

export interface Site {
  /** Begins and ends with a slash. */
  base: string;
  /** The address of the Console, or undefined on a host without one. */
  consoleUrl: string | undefined;
  sections: readonly Section[];
  /** The addresses of the bundled files. */
  assets: { style: string; theme: string; script: string; index: string };
}

/**
 * The policy of each page, which applies on any static host. Slipway also sends it as a header, with `frame-ancestors`.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

interface PageNeighbours {
  section?: Section;
  previous?: SitePage;
  next?: SitePage;
}

function findNeighbours(page: SitePage, sections: readonly Section[]): PageNeighbours {
  const section = sections.find((one) => pagesOf(one).includes(page));
  const order = sections.flatMap((one) => pagesOf(one));
  const at = order.indexOf(page);
  const [previous, next] = at === -1 ? [] : [order[at - 1], order[at + 1]];
  return { ...(section && { section }), ...(previous && { previous }), ...(next && { next }) };
}

export function documentOf(site: Site, page: SitePage, rendered: RenderedPage): string {
  const { base, assets } = site;
  const neighbours = findNeighbours(page, site.sections);
  const title = page.slug === '' ? 'Slipway documentation' : `${page.title} · Slipway`;
  const source = `${base}${page.slug === '' ? 'index' : page.slug}.md`;
  return `<!doctype html>
<html lang="en" data-base="${base}" data-index="${assets.index}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(shorten(rendered.summary, 160))}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${base}favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.theme}"></script>
<script type="module" src="${assets.script}"></script>
<link rel="alternate" type="text/markdown" href="${source}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${headerOf(site)}
<div class="frame">
<nav id="navigation" class="navigation" aria-label="Documentation">
<a class="close" href="#content">Close the menu</a>
${navigationOf(site, page, neighbours)}
</nav>
<main id="content" tabindex="-1">
<article>
${neighbours.section ? `<p class="section">${escapeHtml(neighbours.section.title)}</p>` : ''}
${rendered.html}
</article>
<footer>
${renderPageSteps(site, neighbours)}
<p class="source"><a href="${source}">This page as Markdown</a></p>
</footer>
</main>
${contentsOf(rendered.headings)}
</div>
</body>
</html>
`;
}

const headerOf = ({ base, consoleUrl }: Site): string => `<header>
<a class="menu" href="#navigation">Menu</a>
<a class="wordmark" href="${base}"><img src="${base}favicon.svg" width="24" height="24" alt="">Slipway <span>docs</span></a>
<div class="search" role="search">
<label class="unseen" for="query">Search the documentation</label>
<input id="query" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-describedby="found">
<p id="found" class="unseen" role="status"></p>
<ol id="results" hidden></ol>
</div>
${consoleUrl === undefined ? '' : `<a class="console" href="${escapeHtml(consoleUrl)}">Console</a>`}
<button id="theme" type="button" hidden>Theme</button>
</header>`;

function navigationOf(site: Site, page: SitePage, neighbours: PageNeighbours): string {
  const link = (one: SitePage): string => {
    const current = one === page ? ' aria-current="page"' : '';
    return `<li><a href="${site.base}${one.slug}/"${current}>${escapeHtml(one.title)}</a></li>`;
  };
  const listOf = (pages: readonly SitePage[]): string => `<ul>${pages.map(link).join('')}</ul>`;
  const groupOf = (group: { title: string; pages: readonly SitePage[] }): string => {
    const isHere = group.pages.includes(page);
    const first = group.pages[0];
    // A long section lists only the pages of the open group; another group links to its first page.
    if (!isHere)
      return first ? `<ul><li><a href="${site.base}${first.slug}/">${escapeHtml(group.title)} …</a></li></ul>` : '';
    return `<p class="group">${escapeHtml(group.title)}</p>${listOf(group.pages)}`;
  };
  return site.sections
    .map((section) => {
      const isOpen = section === neighbours.section || page.slug === '';
      const groups = section === neighbours.section ? (section.groups ?? []).map(groupOf).join('') : '';
      return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(section.title)}</summary>${listOf(section.pages)}${groups}</details>`;
    })
    .join('\n');
}

function contentsOf(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '<div class="contents"></div>';
  const items = shown.map(
    ({ level, text, anchor }) => `<li class="level-${level}"><a href="#${anchor}">${breakableHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`;
}

function renderPageSteps({ base }: Site, { previous, next }: PageNeighbours): string {
  const step = (page: SitePage | undefined, kind: string, label: string): string =>
    page
      ? `<a class="${kind}" rel="${kind}" href="${base}${page.slug}/"><span>${label}</span> ${escapeHtml(page.title)}</a>`
      : '';
  return `<nav class="steps" aria-label="Pages before and after">${step(previous, 'prev', 'Previous')}${step(next, 'next', 'Next')}</nav>`;
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, text.lastIndexOf(' ', length - 2))} …`;
}
