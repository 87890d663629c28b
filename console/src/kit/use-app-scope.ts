// Returns the organisation and app of the address.
import { useParams } from '@tanstack/react-router';
import type { AppScope } from './api.ts';

export const APP_ROUTE = '/shell/in/$organisationId/apps/$appId';

export function useAppScope(): AppScope {
  return useParams({ from: APP_ROUTE });
}
