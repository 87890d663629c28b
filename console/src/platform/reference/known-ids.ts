// Remembers identifiers that exist: the app's servers, and identifiers in responses on these pages. In memory only.
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type AppScope, api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import type { Parameter } from './document.ts';

const MAX_OF_A_KIND = 50;
const IDENTIFIER = /\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

const byApp = new Map<string, readonly string[]>();
const listeners = new Set<() => void>();
const NONE: readonly string[] = [];

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stores the identifiers of a response, newest of each kind first. */
export function rememberIds(appId: string, text: string): void {
  const all = [...new Set([...text.matchAll(IDENTIFIER)].map(([id]) => id).concat(byApp.get(appId) ?? []))];
  const counts = new Map<string, number>();
  const kept = all.filter((id) => {
    const kind = id.slice(0, 3);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= MAX_OF_A_KIND;
  });
  byApp.set(appId, kept);
  for (const listener of listeners) listener();
}

interface KnownId {
  id: string;
  label: string;
}

/** Returns a function that lists identifiers for a parameter, with names if they are known. */
export function useKnownIds(scope: AppScope): (parameter: Parameter) => KnownId[] {
  const read = (): readonly string[] => byApp.get(scope.appId) ?? NONE;
  const seen = useSyncExternalStore(subscribe, read, read);
  const { data } = useQuery({
    queryKey: [...queryKeys.installations(scope), 'first'],
    queryFn: ({ signal }) => api.listInstallations({ ...scope, limit: 25 }, { signal }),
  });
  const servers = data?.data.map(({ serverId, serverName }) => ({ id: serverId, label: serverName })) ?? [];
  const known = new Set(servers.map((one) => one.id));
  const all = [...servers, ...seen.filter((id) => !known.has(id)).map((id) => ({ id, label: 'from a response' }))];
  return ({ schema }) => {
    const kind = /^\^([a-z]{3}_)/.exec(schema?.pattern ?? '')?.[1];
    return kind === undefined ? [] : all.filter((one) => one.id.startsWith(kind));
  };
}
