// Search parameters of the audit log.
import { defined } from '../../kit/api.ts';
import { textParam } from '../../kit/search.ts';

export interface AuditSearch {
  actor?: string;
  action?: string;
  target?: string;
  app?: string;
  /** Days in the reader's time zone, such as 2026-01-31, both inclusive. */
  from?: string;
  to?: string;
  /** Entry whose drawer is open. */
  entry?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function dayOf<K extends string>(name: K, value: unknown): { [P in K]?: string } {
  const isDay = typeof value === 'string' && DAY.test(value) && startOf(value) !== undefined;
  return textParam(name, isDay ? value : undefined);
}

export function toAuditSearch(search: Partial<Record<keyof AuditSearch, unknown>>): AuditSearch {
  return {
    ...textParam('actor', search.actor),
    ...textParam('action', search.action),
    ...textParam('target', search.target),
    ...textParam('app', search.app),
    ...dayOf('from', search.from),
    ...dayOf('to', search.to),
    ...textParam('entry', search.entry),
  };
}

/** Returns a day before today, in the reader's time zone and the format of the address. */
export function dayBefore(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() - days);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the filter in the API's format. */
export function toFilter({ actor, action, target, app, from, to }: AuditSearch) {
  return defined({
    actor,
    action,
    target,
    appId: app,
    from: from === undefined ? undefined : startOf(from),
    to: to === undefined ? undefined : startOf(to, 1),
  });
}

export type AuditFilter = ReturnType<typeof toFilter>;

/** Returns the start of a day, or of a later day, in the reader's time zone; undefined for an invalid date. */
function startOf(day: string, later = 0): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
