// The page that shows the received messages. It has no scripts, and all content is escaped.
import { createHash } from 'node:crypto';
import type { Receipt } from './receipt.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2433; --soft: #5c667a; --line: #dfe3ea; --paper: #fff; --back: #f5f6f8;
  --good: #11693b; --bad: #a3261b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ef; --soft: #9aa4b5; --line: #2e3542; --paper: #171b22; --back: #0f1217; --good: #5fd08f;
    --bad: #ff8f84; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
p { color: var(--soft); margin: 0 0 1.5rem; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; overflow-x: auto; }
.empty { padding: 3rem 1.5rem; text-align: center; color: var(--soft); }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: .6rem .9rem; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
th { font-size: .8rem; font-weight: 600; color: var(--soft); }
td { overflow-wrap: break-word; }
.loose { overflow-wrap: anywhere; }
code { font: .85em ui-monospace, monospace; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.good { color: var(--good); font-weight: 600; white-space: nowrap; }
.bad { color: var(--bad); font-weight: 600; }
.count { text-align: right; font-variant-numeric: tabular-nums; }
/* On a phone a row is a block of lines, each with the name of its column. */
@media (max-width: 640px) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: .6rem .9rem; border-bottom: 1px solid var(--line); }
  tr:last-child { border-bottom: 0; }
  td { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); padding: .15rem 0; border: 0; }
  td.count { text-align: left; }
  td::before { content: attr(data-label); color: var(--soft); font-size: .8rem; font-weight: 600; line-height: 1.9; } }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function rowOf(receipt: Receipt): string {
  const verdict = receipt.isVerified
    ? '<span class="good">✓ verified</span>'
    : `<span class="bad">✗ not verified</span><br>${escaped(receipt.reason ?? '')}`;
  return `<tr>
<td data-label="Time"><time datetime="${receipt.lastSeenAt}">${receipt.lastSeenAt.slice(11, 19)} UTC</time></td>
<td data-label="Event">${escaped(receipt.type)}</td>
<td data-label="Subject" class="loose">${escaped(receipt.subject ?? '–')}</td>
<td data-label="Signature"><div>${verdict}</div></td>
<td data-label="Seen" class="count">${receipt.timesSeen}</td>
<td data-label="Event ID" class="loose"><code>${escaped(receipt.eventId)}</code></td>
</tr>`;
}

function tableOf(receipts: readonly Receipt[]): string {
  return `<table>
<thead><tr><th scope="col">Time</th><th scope="col">Event</th><th scope="col">Subject</th><th scope="col">Signature</th>
<th scope="col" class="count">Seen</th><th scope="col">Event ID</th></tr></thead>
<tbody>
${receipts.map(rowOf).join('\n')}
</tbody></table>`;
}

export function renderPage(receipts: readonly Receipt[]): string {
  const content =
    receipts.length === 0
      ? '<div class="empty">Nothing has arrived yet. Create a ticket, and its <code>ticket.created</code> shows up here.</div>'
      : tableOf(receipts);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="3">
<title>Webhooks received · Slipway demo</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Webhooks received</h1>
<p>What this demo’s receiver got, newest first. The page looks again every three seconds; <a href="/received">as JSON</a>.</p>
<div class="card">${content}</div>
</main>
</body>
</html>
`;
}
