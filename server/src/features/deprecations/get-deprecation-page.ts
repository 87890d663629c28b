import type { Deprecation } from '../../kit/deprecation.ts';
import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { closed, text } from '../../kit/schema.ts';
import { anyone } from '../authority/index.ts';
import { DeprecationId } from './deprecated-use.ts';
import { ALL_DEPRECATIONS } from './deprecations.ts';

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:4rem auto;padding:0 1.25rem;color:#1a2433;background:#fff}
code{font:14px/1.5 ui-monospace,monospace;background:#eef1f5;border-radius:4px;padding:.1em .35em}
@media(prefers-color-scheme:dark){body{color:#e4e9f0;background:#12181f}code{background:#1e2731}}`;

// Its words are ours, from the table.
const inCode = (words: string): string => words.replaceAll(/`([^`]+)`/g, '<code>$1</code>');

function page({ title, instead, announced, ends }: Deprecation): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title.replaceAll('`', '')} · Slipway</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>${inCode(title)} is deprecated</h1>
<p>Announced on <time>${announced}</time>. Until <time>${ends}</time> it works as before; from that day on, requests that use
it are refused with <code>gone</code>.</p><h2>What to do instead</h2><p>${inCode(instead)}</p>
<h2>Who still uses it</h2><p>Each answer to a request that does carries <code>Deprecation</code>, <code>Sunset</code> and a
<code>Link</code> to this page. The Console counts them for each app.</p></main></body></html>`;
}

export const getDeprecationPage = operation({
  id: 'getDeprecationPage',
  method: 'GET',
  path: '/deprecations/{deprecationId}',
  tag: 'Contract',
  summary: 'Read about a deprecation',
  description: 'The page that the `Link` of a deprecated use leads to: what ends when, and what to do instead.',
  access: anyone(),
  params: closed({ deprecationId: DeprecationId }),
  replies: {
    200: {
      description: 'The page.',
      contentType: 'text/html; charset=utf-8',
      schema: text('HTML.', { maxLength: 100_000 }),
      examples: { aPage: '<!doctype html><html lang="en"></html>' },
      headers: ['Content-Security-Policy'],
    },
  },
  async run(_context, { params }) {
    const deprecation = ALL_DEPRECATIONS.find((one) => one.id === params.deprecationId);
    if (!deprecation) throw problem('not_found');
    const headers = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" };
    return { status: 200, body: page(deprecation), headers };
  },
});
