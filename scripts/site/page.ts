// The model of the site: pages of Markdown in sections. Written and generated pages have the same form.

export interface SitePage {
  /** The address below the base, without a slash at its ends: `webhooks/verify`. */
  slug: string;
  title: string;
  /** Markdown that begins with the title as its only first-level heading. */
  markdown: string;
  /** Its source file, relative to the root. A generated page has none. */
  source?: string;
  /** Additional search words that the text does not contain. */
  keywords?: string;
  /** Multiplies the score of a search result. Guides have 1. */
  weight?: number;
}

export interface Section {
  title: string;
  pages: readonly SitePage[];
  /** Parts of a long section, in their order. Their pages follow those of the section. */
  groups?: readonly { title: string; pages: readonly SitePage[] }[];
}

export const pagesOf = ({ pages, groups = [] }: Section): readonly SitePage[] => [
  ...pages,
  ...groups.flatMap((group) => group.pages),
];

/** Returns the text of the first-level heading. Throws if the Markdown does not begin with one. */
export function titleOf(markdown: string, name: string): string {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (title === undefined) throw new Error(`${name} must begin with a heading of the first level.`);
  return title.replaceAll('`', '');
}

/** Returns the anchor of a heading by the rules of forges: lower case, hyphens for spaces, no punctuation. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Returns the text as HTML. A long compound name, such as that of an alert, can break between its words. */
export const breakableHtml = (text: string): string =>
  escapeHtml(text).replaceAll(/\p{L}{20,}/gu, (name) => name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, '<wbr>'));

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
