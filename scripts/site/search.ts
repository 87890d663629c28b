// The index of the offline search: one entry for each part of a guide, and one for each generated page. The same
// options are used in the browser (client/site.ts).
import MiniSearch, { type Options } from 'minisearch';
import type { RenderedPage } from './markdown.ts';
import type { SitePage } from './page.ts';

export interface Entry {
  id: number;
  slug: string;
  anchor: string;
  title: string;
  heading: string;
  text: string;
  keywords: string;
  weight: number;
}

/** The stored fields of an entry, which are sufficient to show a result. */
export type SearchResult = Pick<Entry, 'slug' | 'anchor' | 'title' | 'heading' | 'weight'>;

// Finds `at-least-once` as a whole and by its parts, and `listServers` as a whole.
const tokenize = (text: string): string[] => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+(?:[-.'’][\p{L}\p{N}_]+)*/gu) ?? [];
  return words.flatMap((word) => (/[-.]/.test(word) ? [word, ...word.split(/[-.]/)] : [word]));
};

/** Returns a word without its common endings, so that `retries` and `retry` are one term. */
const processTerm = (term: string): string | null => {
  const word = term.toLowerCase().replace(/['’]s$/, '');
  if (word.length < 2 || STOP_WORDS.has(word)) return null;
  return word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
};

const STOP_WORDS = new Set([
  'the',
  'of',
  'an',
  'and',
  'is',
  'it',
  'to',
  'in',
  'for',
  'on',
  'or',
  'as',
  'by',
  'that',
  'are',
  'be',
]);

export const OPTIONS: Options<Entry> = {
  fields: ['title', 'heading', 'keywords', 'text'],
  storeFields: ['slug', 'anchor', 'title', 'heading', 'weight'],
  tokenize,
  processTerm,
  searchOptions: {
    boost: { title: 6, heading: 4, keywords: 5, text: 1 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    combineWith: 'AND',
    boostDocument: (_id, _term, stored) => (typeof stored?.weight === 'number' ? stored.weight : 1),
  },
};

/** Returns the index as JSON. */
export function indexOf(pages: readonly { page: SitePage; rendered: RenderedPage }[]): string {
  const search = new MiniSearch<Entry>(OPTIONS);
  let id = 0;
  for (const { page, rendered } of pages) {
    const weight = page.weight ?? 1;
    const common = { slug: page.slug, title: page.title, weight };
    // A generated page or a decision is one entry, because its parts are not meaningful alone.
    const parts =
      weight < 1
        ? [{ heading: '', anchor: '', text: rendered.parts.map(({ text }) => text).join('\n') }]
        : rendered.parts;
    for (const [at, { heading, anchor, text }] of parts.entries()) {
      id += 1;
      search.add({
        ...common,
        id,
        anchor,
        heading: at === 0 ? '' : heading,
        text,
        keywords: at === 0 ? (page.keywords ?? '') : '',
      });
    }
  }
  return JSON.stringify(search);
}
