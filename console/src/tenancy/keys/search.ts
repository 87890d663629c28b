// Search parameters of the page of keys.
import { textParam, timeParam } from '../../kit/search.ts';

export interface KeysSearch {
  /** The only key to show. Undefined: all. */
  key?: string;
  /** The key whose activity is open. */
  activity?: string;
  /** The start of that activity. Undefined: the creation of the key. */
  since?: string;
}

export function toKeysSearch(search: Partial<Record<keyof KeysSearch, unknown>>): KeysSearch {
  return {
    ...textParam('key', search.key),
    ...textParam('activity', search.activity),
    ...timeParam('since', search.since),
  };
}
