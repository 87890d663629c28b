// The pages behind a problem's `type`: self-contained HTML.
import { createHash } from 'node:crypto';
import { exampleProblem, PROBLEM_CODES, PROBLEMS, problemsAt, SERVED_BY } from '../../access/problems/index.ts';
import { type ProblemCode, problemBody, problemSlug } from '../../kit/openapi/problems.ts';

const STYLE = `:root{color-scheme:light dark;--text:#1a2433;--soft:#56637a;--back:#fff;--box:#eef1f5;--link:#0b5cad}
@media(prefers-color-scheme:dark){:root{--text:#e4e9f0;--soft:#9aa8b8;--back:#12181f;--box:#1e2731;--link:#79b8ff}}
body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:2rem 1.25rem 4rem;color:var(--text);background:var(--back);overflow-wrap:anywhere}
h1{line-height:1.2;margin:.5rem 0}h2{margin:2rem 0 .25rem}p{margin:.25rem 0}a{color:var(--link)}
code,pre{font:14px/1.5 ui-monospace,monospace;background:var(--box);border-radius:4px}code{padding:.1em .35em}pre{padding:1rem;overflow:auto}
.soft{color:var(--soft)}ul{list-style:none;padding:0}li{padding:.5rem 0;border-top:1px solid var(--box)}`;

/** The policy allows the one style by its hash, and no other resource, script or form target. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=300',
};

const GROUPS = [
  ['api', 'Problems of the API'],
  ['production', 'Problems of the API in production only'],
  ['console', 'Problems of the Console and its management API'],
] as const;

const EXAMPLE_REQUEST_ID = 'req_01j9z3v8k6e5t8m2n4p6q8r0sb';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
const section = (title: string, text: string): string => `<h2>${title}</h2><p>${prose(text)}</p>`;

function html(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Slipway</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`;
}

/**
 * Returns the page of a problem as HTML. `docsUrl` is the documentation site, to which the page links if it is known.
 */
export function problemPage(code: ProblemCode, problemsUrl: string, docsUrl?: string | undefined): string {
  const { status, title, meaning, cause, fix, servedBy } = PROBLEMS[code];
  const { extra } = exampleProblem(code);
  const example = JSON.stringify(problemBody(code, EXAMPLE_REQUEST_ID, problemsAt(problemsUrl), extra), null, 2);
  const where = SERVED_BY[servedBy];
  return html(
    title,
    `<p><a href="${escapeHtml(problemsUrl)}">All problems</a></p>
<h1>${title}</h1><p class="soft">HTTP ${status} · <code>${code}</code></p>${where && `<p class="soft">${where}</p>`}
${section('What it means', meaning)}${section('Why it happens', cause)}${section('How to fix it', fix)}
<h2>Example</h2><pre>${escapeHtml(example)}</pre>${servedBy === 'api' ? simulation(code) : ''}${linkToDocs(docsUrl)}`,
  );
}

const linkToDocs = (docsUrl: string | undefined): string =>
  docsUrl === undefined ? '' : `<p><a href="${escapeHtml(docsUrl)}/">Documentation</a></p>`;

const simulation = (code: ProblemCode): string =>
  section(
    'How to reproduce it',
    `In the sandbox, send \`Sandbox-Simulate: code=${code}\` with any call of /v1 that requires a key.`,
  );

export function problemIndex(problemsUrl: string, docsUrl?: string | undefined): string {
  const entry = (code: ProblemCode): string => {
    const { status, title, meaning } = PROBLEMS[code];
    const href = escapeHtml(`${problemsUrl}/${problemSlug(code)}`);
    return `<li><a href="${href}">${title}</a> <span class="soft">${status} · <code>${code}</code></span><br>${prose(meaning)}</li>`;
  };
  const groups = GROUPS.map(([servedBy, title]) => {
    const codes = PROBLEM_CODES.filter((code) => PROBLEMS[code].servedBy === servedBy);
    return `<h2>${title}</h2><ul>${codes.map(entry).join('\n')}</ul>`;
  });
  return html(
    'Problems',
    `<h1>Problems</h1><p>Every response that is not a success is one of these problems.</p>${groups.join('')}${linkToDocs(docsUrl)}`,
  );
}
