import { operation } from '../../kit/operation.ts';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode, problem, problemBody, problemSlug } from '../../kit/problems.ts';
import { closed, text } from '../../kit/schema.ts';
import { anyone } from '../authority/index.ts';

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:4rem auto;padding:0 1.25rem;color:#1a2433;background:#fff}
code,pre{font:14px/1.5 ui-monospace,monospace;background:#eef1f5;border-radius:4px}code{padding:.1em .35em}pre{padding:1rem;overflow:auto}
h1{line-height:1.2}.status{color:#5a6778}@media(prefers-color-scheme:dark){body{color:#e4e9f0;background:#12181f}code,pre{background:#1e2731}.status{color:#9aa8b8}}`;

function page(code: ProblemCode, problemsUrl: string): string {
  const { status, title, meaning, mend } = PROBLEMS[code];
  const example = JSON.stringify(problemBody(code, 'req_01j9z3v8k6e5t8m2n4p6q8r0sb', problemsUrl, {}), null, 2);
  const paragraph = (text: string): string => `<p>${escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Slipway</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p class="status">HTTP ${status} · <code>${code}</code></p>
<h2>What it means</h2>${paragraph(meaning)}<h2>How to mend it</h2>${paragraph(mend)}
<h2>Example</h2><pre>${escapeHtml(example)}</pre></main></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export const getProblemPage = operation({
  id: 'getProblemPage',
  method: 'GET',
  path: '/problems/{slug}',
  tag: 'Contract',
  summary: 'Read about a problem',
  description: "The page behind a problem's `type`: what it means and how to mend it.",
  access: anyone(),
  params: closed({
    slug: text("The end of the problem's type.", {
      pattern: '^[a-z-]{1,60}$',
      maxLength: 60,
      examples: ['missing-scope'],
    }),
  }),
  replies: {
    200: {
      description: 'The page.',
      contentType: 'text/html; charset=utf-8',
      schema: text('HTML.', { maxLength: 100_000 }),
      examples: { aPage: '<!doctype html><html lang="en"></html>' },
      headers: ['Content-Security-Policy'],
    },
  },
  async run({ plane }, { params }) {
    const code = PROBLEM_CODES.find((known) => problemSlug(known) === params.slug);
    if (!code) throw problem('not_found');
    const headers = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" };
    return { status: 200, body: page(code, plane.problemsUrl), headers };
  },
});
