// Search parameters of the page of keys.
import { textParam } from '../../kit/search.ts';

export interface KeysSearch {
  /** The only key to show. Undefined: all. */
  key?: string;
}

export function toKeysSearch(search: Partial<Record<keyof KeysSearch, unknown>>): KeysSearch {
  return textParam('key', search.key);
}
