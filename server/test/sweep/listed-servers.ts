// Returns the content of lists over all servers, page by page.

import type { SweepScope } from './model.ts';
import type { SweptApp } from './object-kinds.ts';
import type { SweepServices } from './sweep-services.ts';

/** Returns the listed servers, or the servers of listed events with a resource. */
export async function listShown(home: SweepServices, app: SweptApp, path: string, scope: SweepScope, limit: number) {
  const shown = new Set<string>();
  let next: string | null = '';
  const position = path === '/v1/events' ? 'after' : 'cursor';
  do {
    const more: string = next === '' ? '' : `&${position}=${encodeURIComponent(next)}`;
    const { text } = await home.callApi('GET', `${path}?limit=${limit}${more}`, app.keys.token('active', scope));
    const page: {
      data: { id: string; type?: string; serverId?: string }[];
      nextCursor?: string;
      nextAfter?: string;
      hasMore?: boolean;
    } = JSON.parse(text);
    for (const { id, type, serverId } of page.data) if (type !== 'ping') shown.add(serverId ?? id);
    // The feed has no last page: `hasMore` is false if it has ended for now.
    next = page.nextCursor ?? (page.hasMore ? page.nextAfter : null) ?? null;
  } while (next !== null);
  return shown;
}
