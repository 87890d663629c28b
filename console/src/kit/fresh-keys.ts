// Keys that were generated on this page, so that its commands can contain them. In memory only: a reload removes them.
import { useSyncExternalStore } from 'react';
import type { CreatedKey } from './api.ts';

const byApp = new Map<string, CreatedKey>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(): void {
  for (const listener of listeners) listener();
}

export function rememberFreshKey(appId: string, created: CreatedKey): void {
  byApp.set(appId, created);
  announce();
}

export function forgetFreshKey(keyId: string): void {
  for (const [appId, created] of byApp) if (created.key.id === keyId) byApp.delete(appId);
  announce();
}

export function forgetAllFreshKeys(): void {
  byApp.clear();
  announce();
}

export function useFreshKey(appId: string): CreatedKey | undefined {
  const read = (): CreatedKey | undefined => byApp.get(appId);
  return useSyncExternalStore(subscribe, read, read);
}
