// The behaviour of a page: the theme's button, and the offline search, whose index is loaded when the field is first
// used.
import MiniSearch from 'minisearch';
import { COLOR_SCHEME_KEY } from '../../../console/src/app/color-scheme-key.ts';
import { type Entry, OPTIONS, type SearchResult } from '../search.ts';

const SHOWN = 8;

const root = document.documentElement;
const { base = '/', index = '' } = root.dataset;

function element<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page must have an element with the id ${id}.`);
  return found as T; // the layout gives each of these ids to one kind of element
}

const button = element<HTMLButtonElement>('theme');
const field = element<HTMLInputElement>('query');
const list = element<HTMLOListElement>('results');
const status = element('found');

function labelTheme(): void {
  button.textContent = root.dataset.theme === 'dark' ? 'Light theme' : 'Dark theme';
}
button.hidden = false;
labelTheme();
button.addEventListener('click', () => {
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem(COLOR_SCHEME_KEY, root.dataset.theme);
  labelTheme();
});

let loading: Promise<MiniSearch<Entry>> | undefined;
function load(): Promise<MiniSearch<Entry>> {
  loading ??= fetch(index)
    .then((response) => response.text())
    .then((text) => MiniSearch.loadJSON<Entry>(text, OPTIONS))
    .catch((error: unknown) => {
      loading = undefined; // the next key stroke tries again
      throw error;
    });
  return loading;
}

/** Returns the best part of each page, at most eight pages. */
function search(engine: MiniSearch<Entry>, query: string): SearchResult[] {
  const all = engine.search(query);
  const results = all.length > 0 ? all : engine.search(query, { combineWith: 'OR' });
  const pages = new Map<string, SearchResult>();
  for (const result of results) {
    const { slug, anchor, title, heading, weight } = result as unknown as SearchResult; // the fields that the index stores
    if (!pages.has(slug)) pages.set(slug, { slug, anchor, title, heading, weight });
    if (pages.size === SHOWN) break;
  }
  return [...pages.values()];
}

function itemOf({ slug, anchor, title, heading }: SearchResult): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.className = 'result';
  link.href = `${base}${slug === '' ? '' : `${slug}/`}${anchor === '' ? '' : `#${anchor}`}`;
  const name = document.createElement('strong');
  name.textContent = title;
  link.append(name);
  if (heading !== '') {
    const part = document.createElement('span');
    part.textContent = heading;
    link.append(part);
  }
  item.append(link);
  return item;
}

async function show(): Promise<void> {
  const query = field.value.trim();
  if (query === '') return hide();
  const engine = await load();
  if (field.value.trim() !== query) return; // a later key stroke shows its own results
  const results = search(engine, query);
  list.replaceChildren(...results.map(itemOf));
  list.hidden = results.length === 0;
  status.textContent = results.length === 0 ? `No page found for “${query}”.` : `${results.length} pages found.`;
  status.className = results.length === 0 ? 'nothing' : 'unseen';
}

function hide(): void {
  list.hidden = true;
  status.textContent = '';
  status.className = 'unseen';
}

const links = (): HTMLAnchorElement[] => [...list.querySelectorAll('a')];

function move(step: number): void {
  const all = links();
  const at = all.findIndex((link) => link.matches(':focus'));
  (at + step < 0 ? field : all[Math.min(at + step, all.length - 1)])?.focus();
}

field.addEventListener('focus', () => void load().catch(() => {}));
field.addEventListener('input', () => void show());
field.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !list.hidden) links()[0]?.click();
  if (event.key === 'Escape') hide();
});
document.addEventListener('keydown', (event) => {
  const isInside = list.contains(document.activeElement) || document.activeElement === field;
  if (isInside && !list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  }
  if (event.key === 'Escape' && list.contains(document.activeElement)) {
    hide();
    field.focus();
  }
  const isTyping = document.activeElement instanceof HTMLInputElement;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
  }
});
document.addEventListener('click', ({ target }) => {
  if (target instanceof Node && !field.parentElement?.contains(target)) hide();
});

// A link may bring a query: `?q=rate%20limit`.
const given = new URLSearchParams(location.search).get('q');
if (given !== null) {
  field.value = given;
  field.focus();
  void show();
}
