// State of the tail: waiting requests, shown requests, and omitted ones. Pure functions.
import type { MissedRequests, RequestRecord, TailedRequests } from '../../kit/api.ts';

export interface TailState {
  connection: 'connecting' | 'open' | 'interrupted' | 'ended';
  /** Reason of an interruption or end. */
  error: Error | null;
  /** Number of connections without a position. Earlier requests are in the list only. */
  beginnings: number;
  /** Newest requests that arrived while the list was paused; `waitingCount` is their number. */
  waiting: RequestRecord[];
  waitingCount: number;
  /** Requests since the list was read, newest last. */
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

export const INITIAL_TAIL_STATE: TailState = {
  connection: 'connecting',
  error: null,
  beginnings: 0,
  waiting: [],
  waitingCount: 0,
  shown: [],
  missed: null,
};

/** With more new requests than this, the list is read again. */
export const MAX_NEW_REQUESTS = 200;

export function tailReducer(state: TailState, action: TailAction): TailState {
  switch (action.type) {
    case 'connecting':
      return { ...state, connection: 'connecting', error: null };
    case 'came':
      return appendRequests(state, action.part, action.isBeginning);
    case 'interrupted':
    case 'ended':
      return { ...state, connection: action.type, error: action.error };
    case 'show':
      // One more than the limit, so that the overflow is detected.
      return {
        ...state,
        waiting: [],
        waitingCount: 0,
        shown: [...state.shown, ...state.waiting].slice(-MAX_NEW_REQUESTS - 1),
      };
    case 'reread':
      return { ...state, shown: newIn(action.listed, state.shown, action.hasMore) };
    case 'forgetMissed':
      return { ...state, missed: null };
  }
}

function appendRequests(state: TailState, { data, missed }: TailedRequests, isBeginning: boolean): TailState {
  if (data.length === 0 && !missed && !isBeginning && state.connection === 'open') return state;
  return {
    ...state,
    connection: 'open',
    error: null,
    beginnings: state.beginnings + (isBeginning ? 1 : 0),
    waiting: [...state.waiting, ...data].slice(-MAX_NEW_REQUESTS - 1),
    waitingCount: state.waitingCount + data.length,
    missed: mergeMissed(state.missed, missed),
  };
}

function mergeMissed(one: MissedRequests | null, other: MissedRequests | null): MissedRequests | null {
  if (!one || !other) return one ?? other;
  return {
    count: one.count === null || other.count === null ? null : one.count + other.count,
    since: one.since < other.since ? one.since : other.since,
    until: one.until > other.until ? one.until : other.until,
  };
}

/** Returns the new requests that the list lacks. A request older than the list belongs to a page that is not loaded. */
function newIn(listed: readonly RequestRecord[], shown: readonly RequestRecord[], hasMore: boolean): RequestRecord[] {
  if (shown.length === 0) return [];
  const ids = new Set(listed.map(({ id }) => id));
  const oldest = hasMore ? (listed.at(-1)?.id ?? '') : '';
  return shown.filter(({ id }) => !ids.has(id) && id > oldest);
}

/** Returns how many waiting requests the list lacks. The list can have been read after they arrived. */
export function countNew({ waiting, waitingCount }: TailState, listed: readonly RequestRecord[]): number {
  if (waitingCount === 0) return 0;
  const ids = new Set(listed.map(({ id }) => id));
  return waitingCount - waiting.filter(({ id }) => ids.has(id)).length;
}

/**
 * Returns the list with the new requests. Identifiers have the order of arrival, but a slow response is recorded after
 * a later request.
 */
export function withNew(listed: RequestRecord[], shown: readonly RequestRecord[], hasMore: boolean): RequestRecord[] {
  const fresh = newIn(listed, shown, hasMore);
  return fresh.length === 0 ? listed : [...fresh, ...listed].sort((a, b) => (a.id < b.id ? 1 : -1));
}
