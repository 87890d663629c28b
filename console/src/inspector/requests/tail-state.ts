// What a tail has brought: the requests that wait to be shown, those that are, and what was left out. Pure.
import type { MissedRequests, RequestRecord, TailedRequests } from '../../kit/api.ts';

export interface TailState {
  connection: 'connecting' | 'open' | 'interrupted' | 'ended';
  /** Why it is interrupted or has ended. */
  error: Error | null;
  /** How often it began anew: what was before is in the list alone. */
  beginnings: number;
  /** The newest of those that came while nobody wanted the list to move; `waitingCount` says how many there were. */
  waiting: RequestRecord[];
  waitingCount: number;
  /** Those that came since the list was read, newest last. */
  shown: RequestRecord[];
  missed: MissedRequests | null;
}

export type TailAction =
  | { type: 'connecting' }
  | { type: 'came'; part: TailedRequests; isBeginning: boolean }
  | { type: 'interrupted' | 'ended'; error: Error }
  | { type: 'show' }
  | { type: 'reread'; listed: readonly RequestRecord[]; hasMore: boolean }
  | { type: 'forgetMissed' };

export const BEFORE: TailState = {
  connection: 'connecting',
  error: null,
  beginnings: 0,
  waiting: [],
  waitingCount: 0,
  shown: [],
  missed: null,
};

/** With more than these at its head the list is read again rather than grown. */
export const MOST_SHOWN = 200;

export function tailReducer(state: TailState, action: TailAction): TailState {
  switch (action.type) {
    case 'connecting':
      return { ...state, connection: 'connecting', error: null };
    case 'came':
      return came(state, action.part, action.isBeginning);
    case 'interrupted':
    case 'ended':
      return { ...state, connection: action.type, error: action.error };
    case 'show':
      // One more than may be, so that it is seen that there were more.
      return {
        ...state,
        waiting: [],
        waitingCount: 0,
        shown: [...state.shown, ...state.waiting].slice(-MOST_SHOWN - 1),
      };
    case 'reread':
      return { ...state, shown: newIn(action.listed, state.shown, action.hasMore) };
    case 'forgetMissed':
      return { ...state, missed: null };
  }
}

function came(state: TailState, { data, missed }: TailedRequests, isBeginning: boolean): TailState {
  if (data.length === 0 && !missed && !isBeginning && state.connection === 'open') return state;
  return {
    ...state,
    connection: 'open',
    error: null,
    beginnings: state.beginnings + (isBeginning ? 1 : 0),
    waiting: [...state.waiting, ...data].slice(-MOST_SHOWN - 1),
    waitingCount: state.waitingCount + data.length,
    missed: bothMissed(state.missed, missed),
  };
}

function bothMissed(one: MissedRequests | null, other: MissedRequests | null): MissedRequests | null {
  if (!one || !other) return one ?? other;
  return {
    count: one.count === null || other.count === null ? null : one.count + other.count,
    since: one.since < other.since ? one.since : other.since,
    until: one.until > other.until ? one.until : other.until,
  };
}

/** Of those that came what the list does not have. What is older than all of it is on a page that was not loaded. */
function newIn(listed: readonly RequestRecord[], shown: readonly RequestRecord[], hasMore: boolean): RequestRecord[] {
  if (shown.length === 0) return [];
  const ids = new Set(listed.map(({ id }) => id));
  const oldest = hasMore ? (listed.at(-1)?.id ?? '') : '';
  return shown.filter(({ id }) => !ids.has(id) && id > oldest);
}

/** How many of those that wait the list does not have: it may have been read after they came. */
export function countNew({ waiting, waitingCount }: TailState, listed: readonly RequestRecord[]): number {
  if (waitingCount === 0) return 0;
  const ids = new Set(listed.map(({ id }) => id));
  return waitingCount - waiting.filter(({ id }) => ids.has(id)).length;
}

/** The list with what came since. Identifiers are in the order of arrival; a slow answer comes after a later one's. */
export function withNew(listed: RequestRecord[], shown: readonly RequestRecord[], hasMore: boolean): RequestRecord[] {
  const fresh = newIn(listed, shown, hasMore);
  return fresh.length === 0 ? listed : [...fresh, ...listed].sort((a, b) => (a.id < b.id ? 1 : -1));
}
