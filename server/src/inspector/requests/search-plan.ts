// The plan of a search: stretches of time with partitions of one kind, and the index for each stretch. Pure.
import { PROBLEM_CODES, PROBLEMS } from '../../access/problems/index.ts';
import { CLIENT_CLOSED_REQUEST } from '../../kit/http/aborted-body.ts';
import {
  FIRST_UUID,
  type IdRange,
  isEmpty,
  LAST_UUID,
  NO_OPERATION,
  overlap,
  type RequestFilter,
} from './request-filter.ts';

/**
 * A partition of records. `isCompacted`: the partition of a compacted day, which can be searched by facets. Others are
 * still written, or are older than facets.
 */
export interface RecordPartition extends IdRange {
  isCompacted: boolean;
}

/**
 * The limit of partitions per stretch: a statement opens and locks each partition that it may touch, with its indexes.
 */
const MAX_PARTITIONS_PER_STRETCH = 32;

/**
 * Returns stretches that cover all of time, newest first; `partitions` must be newest first too. Time without its own
 * partition lies in the default partition and becomes a separate stretch. Together with the default partition, Postgres
 * would merge the others row by row instead of reading one after the other.
 */
export function toStretches(partitions: readonly RecordPartition[]): RecordPartition[] {
  const stretches: RecordPartition[] = [];
  let run: RecordPartition | undefined;
  let together = 0;
  const addGap = (from: string, before: string): void => {
    if (isEmpty({ from, before })) return;
    stretches.push({ from, before, isCompacted: false });
    run = undefined;
  };
  const addPartition = (partition: RecordPartition): void => {
    if (run?.isCompacted === partition.isCompacted && together < MAX_PARTITIONS_PER_STRETCH) {
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

/** The index that leads to the candidates. */
export type SearchIndex =
  | { by: 'app' }
  | { by: 'key'; keyId: string }
  | { by: 'server'; serverId: string }
  | { by: 'trace'; traceId: string }
  | { by: 'statuses'; statuses: readonly number[] }
  | { by: 'slowOrSimulated' }
  | { by: 'ids'; requestIds: readonly string[] };

/** The statuses that an error may have. An index lists errors by status. */
const ERROR_STATUSES = [
  ...new Set([...PROBLEM_CODES.map((code) => PROBLEMS[code].status), CLIENT_CLOSED_REQUEST]),
].filter((one) => one >= 400);

function errorStatusesOf({ statuses, code, operationId }: RequestFilter): readonly number[] | undefined {
  // A request without an operation is always refused.
  const [lowest, highest] = statuses ?? (operationId === NO_OPERATION ? [400, 599] : [0, 999]);
  if (code !== undefined) return [PROBLEMS[code].status].filter((one) => one >= lowest && one <= highest);
  if (lowest < 400) return undefined;
  return lowest === highest ? [lowest] : ERROR_STATUSES.filter((one) => one >= lowest && one <= highest);
}

/** Returns the index that leads to the fewest records, as far as the filter alone can tell. */
export function chooseIndex(filter: RequestFilter): SearchIndex {
  const { traceId, serverId, keyId } = filter;
  const statuses = errorStatusesOf(filter);
  if (traceId !== undefined) return { by: 'trace', traceId };
  if (statuses && statuses.length <= 1) return { by: 'statuses', statuses };
  if (serverId !== undefined) return { by: 'server', serverId };
  if (keyId !== undefined) return { by: 'key', keyId };
  if (statuses) return { by: 'statuses', statuses };
  return { by: 'app' };
}

/** Returns the index where facets are not available: slow and simulated requests have their own index. */
export function chooseUncompactedIndex(filter: RequestFilter): SearchIndex {
  const way = chooseIndex(filter);
  const isListed = filter.isSimulated === true || (filter.minDurationUs ?? 0) >= SLOW_US;
  return way.by === 'app' && isListed ? { by: 'slowOrSimulated' } : way;
}

/** The threshold of the index. */
const SLOW_US = 1_000_000;

/**
 * Returns true if one index is right for all values. For a key, a server or a trace, Postgres needs the number of its
 * records; otherwise it may read all records of the app.
 */
export function hasOneIndex({ by }: SearchIndex): boolean {
  return by === 'app' || by === 'statuses' || by === 'slowOrSimulated';
}

/** Returns the highest cost of a candidate, in sequentially read records. */
export function costOf(way: SearchIndex): number {
  // Postgres takes the newest of each status and then the newest of those.
  if (way.by === 'statuses') return Math.max(1, way.statuses.length);
  return COSTS[way.by];
}

/** Records of a key or a server lie far apart, each on its own page. */
const COSTS = { app: 1, key: 4, server: 4, trace: 4, slowOrSimulated: 4, ids: 4 } as const;

/**
 * The durations with a facet, as request_facets() of the database names them, in seconds. The facet of a filter is the
 * longest one that does not exceed the requested duration.
 */
const DURATIONS_S = [10, 3, 1];

export function facetsOf({ operationId, isSimulated, minDurationUs = 0 }: RequestFilter): string[] {
  const seconds = DURATIONS_S.find((one) => minDurationUs >= one * 1_000_000);
  return [
    ...(operationId === undefined || operationId === NO_OPERATION ? [] : [`operation ${operationId}`]),
    ...(isSimulated === true ? ['simulated'] : []),
    ...(seconds === undefined ? [] : [`duration ${seconds}`]),
  ];
}

/** Returns true if the facets cover the whole filter, apart from the range. */
export function doFacetsCoverFilter(facets: readonly string[], { range: _, ...conditions }: RequestFilter): boolean {
  const values = Object.values(conditions).filter((value) => value !== undefined);
  const { minDurationUs } = conditions;
  const isExact = minDurationUs === undefined || DURATIONS_S.some((one) => minDurationUs === one * 1_000_000);
  return facets.length === values.length && isExact;
}

/** The fields of a filter that an index covers. If the filter has no other field, every candidate matches. */
const COVERED_FIELDS: Readonly<Record<SearchIndex['by'], readonly (keyof RequestFilter)[]>> = {
  app: ['range'],
  key: ['range', 'keyId'],
  server: ['range', 'serverId'],
  trace: ['range', 'traceId'],
  statuses: ['range', 'statuses'],
  slowOrSimulated: [],
  ids: [],
};

export function isCoveredBy(way: SearchIndex, filter: RequestFilter): boolean {
  const names = Object.keys(filter) as (keyof RequestFilter)[]; // the keys of this object alone
  return names.every((name) => filter[name] === undefined || COVERED_FIELDS[way.by].includes(name));
}

/** Returns the part of each stretch that lies in the range. */
export function clipStretches(stretches: readonly RecordPartition[], range: IdRange): RecordPartition[] {
  return stretches
    .map(({ isCompacted, ...stretch }) => ({ ...overlap(stretch, range), isCompacted }))
    .filter((part) => !isEmpty(part));
}
