// Renders the Markdown of a page: anchors, links inside the site, coloured code, diagrams, and tables that scroll by
// themselves.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt from 'markdown-it';
import { figureOf } from './diagrams/figure.ts';
import type { Links } from './links.ts';
import { anchorOf, breakableHtml, escapeHtml, type SitePage } from './page.ts';

const LANGUAGES = { bash, go, http, javascript, json, python, sql, typescript, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
const NAMES: Record<string, string> = { sh: 'bash', js: 'javascript', ts: 'typescript', py: 'python' };

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

/** A heading with the text below it, for the search. The first part of a page has the page's title. */
export interface Part {
  heading: string;
  anchor: string;
  text: string;
}

export interface RenderedPage {
  html: string;
  headings: Heading[];
  parts: Part[];
  /** The first paragraph as plain text. */
  summary: string;
}

/** The parts of the page that the rules of the renderer need. */
interface Env {
  page: SitePage;
  links: Links;
  headings: Heading[];
}

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

export function render(page: SitePage, links: Links): RenderedPage {
  const env: Env = { page, links, headings: [] };
  const text = page.markdown.replaceAll(/<!--[\s\S]*?-->\n?/g, '');
  const tokens = markdown.parse(text, { state: env });
  addAnchors(tokens, env);
  const parts = partsOf(tokens, env.headings);
  const html = markdown.renderer.render(tokens, markdown.options, { state: env });
  const first = tokens.findIndex(({ type }) => type === 'paragraph_open');
  const summary = first === -1 ? page.title : plain(tokens[first + 1]);
  return { html, headings: env.headings, parts, summary };
}

type Tokens = ReturnType<typeof markdown.parse>;

/** Returns the text of an inline token without its markup. */
function plain(token: Tokens[number] | undefined): string {
  const texts = (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content));
  return texts.join('').trim();
}

function addAnchors(tokens: Tokens, env: Env): void {
  const taken = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = plain(tokens[at + 1]);
    const wanted = anchorOf(text);
    const count = taken.get(wanted) ?? 0;
    taken.set(wanted, count + 1);
    const anchor = count === 0 ? wanted : `${wanted}-${count}`;
    token.attrSet('id', anchor);
    env.headings.push({ level: Number(token.tag.slice(1)), text, anchor });
  }
}

function partsOf(tokens: Tokens, headings: readonly Heading[]): Part[] {
  const parts: Part[] = [];
  let next = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open' && Number(token.tag.slice(1)) <= 3) {
      const heading = headings[next];
      if (heading) parts.push({ heading: heading.text, anchor: next === 0 ? '' : heading.anchor, text: '' });
    }
    if (token.type === 'heading_open') next += 1;
    const last = parts.at(-1);
    if (!last) continue;
    if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') last.text += `${plain(token)}\n`;
    if (token.type === 'fence' && token.info !== 'mermaid') last.text += `${token.content.slice(0, 1_000)}\n`;
  }
  return parts;
}

const rules = markdown.renderer.rules;

/** The renderer passes the value of `render` to its rules with an unknown type. */
const envOf = (given: unknown): Env => (given as { state: Env }).state; // the value of `render`

rules.fence = (tokens, at, _options, given) => {
  const env = envOf(given);
  const { content = '', info = '' } = tokens[at] ?? {};
  const [word = ''] = info.trim().split(/\s+/);
  if (word === 'mermaid') {
    const above = env.headings.findLast(({ anchor }) => before(tokens, at, anchor)) ?? env.headings[0];
    return figureOf(content, `Diagram: ${above?.text ?? env.page.title}`);
  }
  const language = NAMES[word] ?? word;
  const code = Object.hasOwn(LANGUAGES, language) ? hljs.highlight(content, { language }).value : escapeHtml(content);
  return `<pre tabindex="0"><code>${code}</code></pre>\n`;
};

/** Returns true if the heading with this anchor precedes the token. */
const before = (tokens: Tokens, at: number, anchor: string): boolean =>
  tokens.findIndex((token) => token.attrGet('id') === anchor) < at;

rules.text = (tokens, at) => breakableHtml(tokens[at]?.content ?? '');

rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n';
rules.table_close = () => '</table></div>\n';

// A column's alignment is a class: the policy of the site allows no inline style.
for (const cell of ['th_open', 'td_open'])
  rules[cell] = (tokens, at, options, _given, self) => {
    const token = tokens[at];
    const style = token?.attrGet('style');
    if (token && style != null) token.attrs = [['class', String(style).replace('text-align:', '')]];
    return self.renderToken(tokens, at, options);
  };

rules.heading_close = (tokens, at) => {
  const { tag = 'h2' } = tokens[at] ?? {};
  const anchor = tokens[at - 2]?.attrGet('id');
  // For pointers only: a screen reader lists the headings themselves.
  const link = `<a class="anchor" href="#${anchor}" aria-hidden="true" tabindex="-1">#</a>`;
  return tag === 'h1' ? '</h1>\n' : ` ${link}</${tag}>\n`;
};

rules.link_open = (tokens, at, options, given, self) => {
  const env = envOf(given);
  const token = tokens[at];
  const target = token?.attrGet('href');
  if (!token || target == null) return '';
  const address = env.links.resolve(env.page, String(target));
  if (address === undefined) {
    // The link is rendered as its text only.
    const end = tokens.slice(at).find(({ type, level }) => type === 'link_close' && level === token.level);
    if (end) end.hidden = true;
    return '';
  }
  token.attrSet('href', address);
  if (/^https?:/.test(address)) token.attrSet('rel', 'noreferrer');
  return self.renderToken(tokens, at, options);
};
rules.link_close = (tokens, at) => (tokens[at]?.hidden ? '' : '</a>');

rules.image = (tokens, at, options, given, self) => {
  const env = envOf(given);
  const token = tokens[at];
  const source = token?.attrGet('src');
  if (!token || source == null) return '';
  const address = env.links.resolve(env.page, String(source));
  if (address === undefined || /^https?:/.test(address))
    throw new Error(`${env.page.slug} shows ${source}, which the site does not have.`);
  token.attrSet('src', address);
  token.attrSet('alt', self.renderInlineAsText(token.children ?? [], options, given));
  token.attrSet('loading', 'lazy');
  return self.renderToken(tokens, at, options);
};
