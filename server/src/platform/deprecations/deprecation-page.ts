// The pages that explain deprecations: self-contained HTML.
import { type Announcement, type Deprecation, endsMs, isInRequest } from '../../kit/http/deprecation.ts';

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:4rem auto;padding:0 1.25rem;color:#1a2433;background:#fff}
code{font:14px/1.5 ui-monospace,monospace;background:#eef1f5;border-radius:4px;padding:.1em .35em}
a{color:#0b5cad}li{padding:.5rem 0}
@media(prefers-color-scheme:dark){body{color:#e4e9f0;background:#12181f}code{background:#1e2731}a{color:#79b8ff}}`;

export const PAGE_HEADERS = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" };

// The text comes from the table of deprecations, so it is not escaped.
const inCode = (words: string): string => words.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function html(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title.replaceAll('`', '')} · Slipway</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`;
}

export function deprecationPage(deprecation: Deprecation, pagesUrl: string): string {
  const { title, replacement, announced, ends } = deprecation;
  if (!isInRequest(deprecation)) {
    return html(
      title,
      `<p><a href="${escapeHtml(pagesUrl)}">All deprecations</a></p><h1>${inCode(title)} is deprecated</h1>
<p>Announced on <time>${announced}</time>. Until <time>${ends}</time> Slipway sends it as before; a release from that day on can
remove it.</p><h2>What to do instead</h2><p>${inCode(replacement)}</p><h2>Remaining use</h2><p>The Console lists the requests and endpoints
of each app that receive it. Slipway does not know which fields an app reads.</p>`,
    );
  }
  return html(
    title,
    `<p><a href="${escapeHtml(pagesUrl)}">All deprecations</a></p><h1>${inCode(title)} is deprecated</h1>
<p>Announced on <time>${announced}</time>. Until <time>${ends}</time> it works as before; from that day on, requests that use
it are refused with <code>gone</code>.</p><h2>What to do instead</h2><p>${inCode(replacement)}</p>
<h2>Remaining use</h2><p>Each response to a request that uses it carries <code>Deprecation</code>, <code>Sunset</code> and a
<code>Link</code> to this page. The Console counts these requests for each app.</p>`,
  );
}

export function ruleChangePage({ title, replacement, announced, ends }: Announcement, pagesUrl: string): string {
  return html(
    title,
    `<p><a href="${escapeHtml(pagesUrl)}">All deprecations</a></p><h1>${inCode(title)} will end</h1>
<p>Announced on <time>${announced}</time>. Apps created before that day keep the earlier rule until <time>${ends}</time>; from that day on the new
rule is enforced for every app.</p><h2>What to do</h2><p>${inCode(replacement)}</p>`,
  );
}

/** Returns the index of deprecations, the earliest end first. */
export function deprecationIndex(deprecations: readonly Announcement[], pagesUrl: string): string {
  const entry = ({ id, title, announced, ends }: Announcement): string =>
    `<li><a href="${escapeHtml(`${pagesUrl}/${id}`)}">${inCode(title)}</a><br>Announced on <time>${announced}</time>; it works unchanged until <time>${ends}</time>.</li>`;
  const entries = [...deprecations].sort((one, other) => endsMs(one) - endsMs(other)).map(entry);
  const list = entries.length > 0 ? `<ul>${entries.join('\n')}</ul>` : '<p>No part of the API is deprecated.</p>';
  return html(
    'Deprecations',
    `<h1>Deprecations</h1><p>The parts of the API that are announced to end, and their replacements.</p>${list}`,
  );
}
