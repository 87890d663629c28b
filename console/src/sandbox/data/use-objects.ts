// Reads the objects of the sandbox data, and follows their changes.
import { useQuery } from '@tanstack/react-query';
import { type AppEvent, type AppScope, api, type WorldObject } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';
import { usePages } from '../../kit/use-pages.ts';
import type { ObjectKind } from './kinds.ts';

const OBJECTS_PAGE = 50;
const OBJECT_EVENTS = 10;

export function useObjects(scope: AppScope, filter: { kind: ObjectKind; serverId?: string }) {
  return usePages<WorldObject>({
    queryKey: [...queryKeys.world(scope), 'objects', filter],
    load: (cursor, signal) => api.listWorldObjects({ ...scope, ...filter, limit: OBJECTS_PAGE, ...cursor }, { signal }),
    read: (limit = OBJECTS_PAGE) => toFeedName('listWorldObjects', { ...scope, ...filter, limit }),
  });
}

export function useObject(scope: AppScope, objectId: string) {
  const input = { ...scope, objectId };
  const queryKey = [...queryKeys.world(scope), 'object', objectId];
  useLiveRefresh(toFeedName('getWorldObject', input), queryKey);
  return useQuery({ queryKey, queryFn: ({ signal }) => api.getWorldObject(input, { signal }) });
}

/** The filter of the events that concern an object. A server has the events of all objects on it. */
export const eventFilterOf = ({ kind, id }: WorldObject) => (kind === 'server' ? { serverId: id } : { subject: id });

export function useObjectEvents(scope: AppScope, object: WorldObject) {
  const filter = eventFilterOf(object);
  return usePages<AppEvent>({
    queryKey: [...queryKeys.events(scope), 'object', filter],
    load: (cursor, signal) => api.listAppEvents({ ...scope, ...filter, limit: OBJECT_EVENTS, ...cursor }, { signal }),
    read: (limit = OBJECT_EVENTS) => toFeedName('listAppEvents', { ...scope, ...filter, limit }),
  });
}
