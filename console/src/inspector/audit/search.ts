// The filters of the audit log, as they stand in the address.
import { defined } from '../../kit/api.ts';
import { textOf } from '../../kit/search.ts';

export interface AuditSearch {
  actor?: string;
  action?: string;
  target?: string;
  app?: string;
  /** Days, such as 2026-01-31, where the reader is; both included. */
  from?: string;
  to?: string;
  /** The entry whose drawer is open. */
  entry?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function dayOf<K extends string>(name: K, value: unknown): { [P in K]?: string } {
  const isDay = typeof value === 'string' && DAY.test(value) && startOf(value) !== undefined;
  return textOf(name, isDay ? value : undefined);
}

export function toAuditSearch(search: Partial<Record<keyof AuditSearch, unknown>>): AuditSearch {
  return {
    ...textOf('actor', search.actor),
    ...textOf('action', search.action),
    ...textOf('target', search.target),
    ...textOf('app', search.app),
    ...dayOf('from', search.from),
    ...dayOf('to', search.to),
    ...textOf('entry', search.entry),
  };
}

/** The same as the API has it. */
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

/** The moment at which a day begins for the reader, or one of the days after it; undefined for what is no day. */
function startOf(day: string, later = 0): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
