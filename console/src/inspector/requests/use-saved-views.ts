// Saved views of the request list: names for filters, per app. They are stored in this browser until the person signs
// out. The address of a view contains its filters, so that any member can open it.
import { useLocalStorage } from '@mantine/hooks';
import type { AppScope } from '../../kit/api.ts';
import { savedViewsKey } from '../../kit/saved-views-storage.ts';
import { isSecret } from '../../kit/search.ts';
import { FILTERS, type RequestsSearch, toRequestsSearch } from './search.ts';

export const MAX_SAVED_VIEWS = 20;

export interface SavedView {
  name: string;
  search: RequestsSearch;
}

export interface SavedViewList {
  views: readonly SavedView[];
  /** Stores the filters under this name, in place of a view with the same name. */
  save: (name: string, search: RequestsSearch) => void;
  remove: (name: string) => void;
}

export function useSavedViews({ appId }: AppScope): SavedViewList {
  const [views, setViews] = useLocalStorage<readonly SavedView[]>({
    key: savedViewsKey(appId),
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: parseViews,
  });
  const others = (name: string): SavedView[] => views.filter((one) => one.name !== name);
  return {
    views,
    save: (name, search) =>
      setViews([...others(name), { name, search: toSavedSearch(search) }].slice(-MAX_SAVED_VIEWS)),
    remove: (name) => setViews(others(name)),
  };
}

/**
 * Returns the parts of an address that a view consists of: filters and the kind of list, not the open request. Leaves
 * out secrets, which an address can contain by mistake.
 */
export function toSavedSearch(search: RequestsSearch): RequestsSearch {
  const filters = FILTERS.map((name) => [name, search[name]] as const).filter(([, value]) => !isSecret(String(value)));
  return toRequestsSearch({ ...Object.fromEntries(filters), view: search.view });
}

/** Ignores invalid text: a member can edit the storage of the browser. */
function parseViews(text: string | undefined): SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(parseView) : [];
  } catch {
    return [];
  }
}

function parseView(stored: unknown): SavedView[] {
  const { name, search }: { name?: unknown; search?: unknown } = Object(stored);
  return typeof name === 'string' && name !== '' ? [{ name, search: toRequestsSearch(Object(search)) }] : [];
}
