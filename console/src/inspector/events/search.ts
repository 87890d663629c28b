// Search parameters of the page of events, and the filters of the API that they select.
import { defined, type EventType, type Operations } from '../../kit/api.ts';
import { choiceParam, textParam, timeParam } from '../../kit/search.ts';
import { ALL_TYPES } from '../../webhooks/webhooks/event-types.ts';
import { startOfSpan } from '../requests/filters.ts';
import { SPANS, type Span } from '../requests/search.ts';

export interface EventsSearch {
  type?: EventType;
  server?: string;
  /** Object that the events are about. */
  subject?: string;
  /** Span that ends now. Otherwise the range has fixed ends. */
  last?: Span;
  since?: string;
  until?: string;
  /** Event whose drawer is open. */
  event?: string;
}

export function toEventsSearch(search: Partial<Record<keyof EventsSearch, unknown>>): EventsSearch {
  const last = choiceParam('last', search.last, SPANS);
  return {
    ...choiceParam('type', search.type, ALL_TYPES),
    ...textParam('server', search.server),
    ...textParam('subject', search.subject),
    ...(last.last === undefined && { ...timeParam('since', search.since), ...timeParam('until', search.until) }),
    ...last,
    ...textParam('event', search.event),
  };
}

export type EventFilter = Omit<Operations['listAppEvents']['input'], 'organisationId' | 'appId' | 'limit' | 'cursor'>;

/** Returns the filter of the API. A span that ends now begins on a full minute. */
export function toEventFilter({ type, server, subject, last, since, until }: EventsSearch, nowMs: number): EventFilter {
  return defined({
    ...{ type, subject, until },
    serverId: server,
    since: last === undefined ? since : startOfSpan(last, nowMs),
  });
}
