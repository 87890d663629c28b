// Returns the content of lists over all servers, page by page.

import type { SweptApp } from './object-kinds.ts';
import type { SweepServices } from './sweep-services.ts';
import type { SweptList } from './swept-contract.ts';

interface Page {
  data: Readonly<Record<string, unknown>>[];
  nextCursor?: string;
  next?: string;
  nextAfter?: string;
  hasMore?: boolean;
}

/** Returns the identifiers of the listed servers, or of the servers of listed objects. */
export async function listShown(
  home: SweepServices,
  app: SweptApp,
  { path, scopes, position, idIn }: SweptList,
  limit: number,
): Promise<Set<string>> {
  const shown = new Set<string>();
  let next: string | null = '';
  do {
    const more: string = next === '' ? '' : `&${position}=${encodeURIComponent(next)}`;
    const { text } = await home.callApi('GET', `${path}?limit=${limit}${more}`, app.keys.token('active', scopes));
    const page: Page = JSON.parse(text);
    for (const item of page.data) shown.add(String(idIn(item)));
    // The feed has no last page: `hasMore` is false if it has ended for now.
    next = page.nextCursor ?? page.next ?? (page.hasMore ? page.nextAfter : null) ?? null;
  } while (next !== null);
  return shown;
}
