// How a search goes about it: stretches of time whose partitions are of one kind, and by which index to look at each. Pure.
import { PROBLEM_CODES, PROBLEMS } from '../../access/problems/index.ts';
import { CALLER_GONE } from '../../kit/http/broken-body.ts';
import { FIRST_UUID, isEmpty, LAST_UUID, NO_OPERATION, overlap, type Range, type RequestFilter } from './filter.ts';

/** Sealed ones can be searched by facets; others are being written, or were before there were facets. */
export interface Partition extends Range {
  isSealed: boolean;
}

/** A statement opens and locks each partition that it may touch, with its indexes. */
const MOST_TOGETHER = 32;

/**
 * All of time, newest first; `partitions` likewise. What has none of its own lies in the default partition, and is looked for
 * apart: beside it Postgres would merge the others row by row, where it can read one after the other.
 */
export function stretchesOf(partitions: readonly Partition[]): Partition[] {
  const stretches: Partition[] = [];
  let run: Partition | undefined;
  let together = 0;
  const addGap = (from: string, before: string): void => {
    if (isEmpty({ from, before })) return;
    stretches.push({ from, before, isSealed: false });
    run = undefined;
  };
  const addPartition = (partition: Partition): void => {
    if (run?.isSealed === partition.isSealed && together < MOST_TOGETHER) {
      run.from = partition.from;
      together += 1;
    } else {
      run = { ...partition };
      stretches.push(run);
      together = 1;
    }
  };
  let reached = LAST_UUID;
  for (const partition of partitions) {
    addGap(partition.before, reached);
    addPartition(partition);
    reached = partition.from;
  }
  addGap(FIRST_UUID, reached);
  return stretches;
}

/** The index by which candidates are come to. */
export type Way =
  | { by: 'app' }
  | { by: 'key'; keyId: string }
  | { by: 'server'; serverId: string }
  | { by: 'trace'; traceId: string }
  | { by: 'statuses'; statuses: readonly number[] }
  | { by: 'slowOrSimulated' }
  | { by: 'ids'; requestIds: readonly string[] };

/** Those that an error may have: there is a list of them by status. */
const ERROR_STATUSES = [...new Set([...PROBLEM_CODES.map((code) => PROBLEMS[code].status), CALLER_GONE])].filter(
  (one) => one >= 400,
);

function errorStatusesOf({ statuses, code, operationId }: RequestFilter): readonly number[] | undefined {
  // What leads to no operation is always refused.
  const [lowest, highest] = statuses ?? (operationId === NO_OPERATION ? [400, 599] : [0, 999]);
  if (code !== undefined) return [PROBLEMS[code].status].filter((one) => one >= lowest && one <= highest);
  if (lowest < 400) return undefined;
  return lowest === highest ? [lowest] : ERROR_STATUSES.filter((one) => one >= lowest && one <= highest);
}

/** The way that leads to the fewest, as far as can be told without asking. */
export function wayOf(filter: RequestFilter): Way {
  const { traceId, serverId, keyId } = filter;
  const statuses = errorStatusesOf(filter);
  if (traceId !== undefined) return { by: 'trace', traceId };
  if (statuses && statuses.length <= 1) return { by: 'statuses', statuses };
  if (serverId !== undefined) return { by: 'server', serverId };
  if (keyId !== undefined) return { by: 'key', keyId };
  if (statuses) return { by: 'statuses', statuses };
  return { by: 'app' };
}

/** Where facets do not answer yet, those that are slow or simulated have a list of their own. */
export function wayOfUnsealed(filter: RequestFilter): Way {
  const way = wayOf(filter);
  const isListed = filter.isSimulated === true || (filter.minDurationUs ?? 0) >= SLOW_US;
  return way.by === 'app' && isListed ? { by: 'slowOrSimulated' } : way;
}

/** As the index has it. */
const SLOW_US = 1_000_000;

/**
 * Whether one index is right for all values. Of a key, a server or a trace Postgres has to know how many records they have:
 * without that it may read all of the app's.
 */
export function hasOneIndex({ by }: Way): boolean {
  return by === 'app' || by === 'statuses' || by === 'slowOrSimulated';
}

/** What a candidate costs at most, in records that are read one after the other. */
export function costOf(way: Way): number {
  // The newest are taken from the newest of each status.
  if (way.by === 'statuses') return Math.max(1, way.statuses.length);
  return COSTS[way.by];
}

/** Those of a key or a server lie far from each other, on a page each. */
const COSTS = { app: 1, key: 4, server: 4, trace: 4, slowOrSimulated: 4, ids: 4 } as const;

/** As request_facets() of the database names them: the longest duration that is not above the one asked for. */
const DURATIONS_S = [10, 3, 1];

export function facetsOf({ operationId, isSimulated, minDurationUs = 0 }: RequestFilter): string[] {
  const seconds = DURATIONS_S.find((one) => minDurationUs >= one * 1_000_000);
  return [
    ...(operationId === undefined || operationId === NO_OPERATION ? [] : [`operation ${operationId}`]),
    ...(isSimulated === true ? ['simulated'] : []),
    ...(seconds === undefined ? [] : [`duration ${seconds}`]),
  ];
}

/** Whether they are all that is asked for, the range aside. */
export function areAllAsked(facets: readonly string[], { range: _, ...asked }: RequestFilter): boolean {
  const values = Object.values(asked).filter((value) => value !== undefined);
  const { minDurationUs } = asked;
  const isExact = minDurationUs === undefined || DURATIONS_S.some((one) => minDurationUs === one * 1_000_000);
  return facets.length === values.length && isExact;
}

/** What of a filter a way answers by itself: where that is all, each candidate fits. */
const ANSWERED: Readonly<Record<Way['by'], readonly (keyof RequestFilter)[]>> = {
  app: ['range'],
  key: ['range', 'keyId'],
  server: ['range', 'serverId'],
  trace: ['range', 'traceId'],
  statuses: ['range', 'statuses'],
  slowOrSimulated: [],
  ids: [],
};

export function isAnsweredBy(way: Way, filter: RequestFilter): boolean {
  const names = Object.keys(filter) as (keyof RequestFilter)[]; // its own, and no others
  return names.every((name) => filter[name] === undefined || ANSWERED[way.by].includes(name));
}

/** The part of each stretch that is meant. */
export function partsOf(stretches: readonly Partition[], range: Range): Partition[] {
  return stretches
    .map(({ isSealed, ...stretch }) => ({ ...overlap(stretch, range), isSealed }))
    .filter((part) => !isEmpty(part));
}
