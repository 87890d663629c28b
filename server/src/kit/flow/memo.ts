import { LRUCache } from 'lru-cache';

/** Returns `make` with its last results remembered; the least recently used result is forgotten beyond `max`. */
export function memo<T extends NonNullable<unknown>>(make: (text: string) => T, max: number): (text: string) => T {
  const cache = new LRUCache<string, T>({ max, memoMethod: make });
  return (text) => cache.memo(text);
}
