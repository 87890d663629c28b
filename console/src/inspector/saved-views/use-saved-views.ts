// The member's saved views of one list of an app: names for filters. They are stored in the account.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import { type AppScope, api, type SavedView } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { isSecret } from '../../kit/search.ts';

export type SavedPage = SavedView['page'];

/** The filters of a list, as parameters of its address. */
export type SavedFilters = Readonly<Record<string, unknown>>;

/** Reads the views when the menu is open. */
export function useSavedViews({ organisationId, appId }: AppScope, page: SavedPage, isOpen: boolean) {
  return useQuery({
    queryKey: queryKeys.savedViews(organisationId),
    queryFn: ({ signal }) => api.listSavedViews({ organisationId }, { signal }),
    select: ({ data }) => data.filter((view) => view.appId === appId && view.page === page),
    enabled: isOpen,
  });
}

/** Returns a function that saves the filters, in place of a view with the same name. */
export function useSaveView({ organisationId, appId }: AppScope, page: SavedPage) {
  const queries = useQueryClient();
  return async (name: string, filters: SavedFilters): Promise<void> => {
    await api.saveView({ organisationId, body: { appId, page, name, filters: toText(filters) } });
    await queries.invalidateQueries({ queryKey: queryKeys.savedViews(organisationId) });
  };
}

export function useDeleteView({ organisationId }: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (savedViewId: string) => api.deleteSavedView({ organisationId, savedViewId }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.savedViews(organisationId) }),
  });
}

export const toFilters = (view: SavedView): SavedFilters => defaultParseSearch(`?${view.filters}`);

/** Returns the filters that can be saved: the selected ones, without secrets, which an address can contain by mistake. */
export const savableFilters = (filters: SavedFilters): SavedFilters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && !isSecret(String(value))));

const toText = (filters: SavedFilters): string => defaultStringifySearch(filters).slice(1);
