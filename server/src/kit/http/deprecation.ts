// Deprecations: when they begin and end, and the replacement. Each response to a deprecated use says so, and after the
// end the use is refused.
import { problem } from '../openapi/problems.ts';

export interface MigrationPeriod {
  /** The days of the announcement and of the end, in UTC. */
  announced: `${number}-${number}-${number}`;
  ends: `${number}-${number}-${number}`;
}

/** The content of an announcement's page. */
export interface Announcement extends MigrationPeriod {
  /** Identifies the announcement in the URL of its page and in the counts of its use. */
  id: string;
  title: string;
  /** The replacement. */
  replacement: string;
}

export interface Deprecation extends Announcement {
  /**
   * The deprecated part. Of a request: the whole operation, a query parameter, or a field of the body by JSON Pointer. Of
   * a response: a field by JSON Pointer. Of events: a type, or one schema version of the type.
   */
  where:
    | { in: 'operation' }
    | { in: 'query'; name: string }
    | { in: 'body'; pointer: string }
    | { in: 'response'; pointer: string }
    | { in: 'events'; type: string; schemaVersion?: number };
}

/**
 * Returns true if a request names the deprecated part. Its response then has headers about the end, and after the end
 * the request is refused. A caller cannot avoid a field of a response, so a call that returns one is only counted.
 */
export const isInRequest = ({ where }: Deprecation): boolean => where.in !== 'response' && where.in !== 'events';

export const MIN_MIGRATION_DAYS = 180;
/** The version of events for a reader that selects none. */
const DEFAULT_SCHEMA_VERSION = 1;
interface Inputs {
  query: Record<string, unknown>;
  body: unknown;
}

const DAY_MS = 86_400_000;

export const announcedMs = ({ announced }: MigrationPeriod): number => Date.parse(`${announced}T00:00:00Z`);
export const endsMs = ({ ends }: MigrationPeriod): number => Date.parse(`${ends}T00:00:00Z`);

/** Returns the days between announcement and end. */
export const migrationDays = (period: MigrationPeriod): number => (endsMs(period) - announcedMs(period)) / DAY_MS;

/** Returns the announcements. Throws if one ends before the minimum migration period, or if two have one identifier. */
export function requireMigrationPeriods<T extends Announcement>(announcements: readonly T[]): readonly T[] {
  for (const [index, one] of announcements.entries()) {
    if (!(migrationDays(one) >= MIN_MIGRATION_DAYS)) {
      throw new Error(
        `The deprecation ${one.id} must end at least ${MIN_MIGRATION_DAYS} days after its announcement on ${one.announced}, not on ${one.ends}.`,
      );
    }
    if (announcements.findIndex(({ id }) => id === one.id) !== index)
      throw new Error(`Two deprecations are called ${one.id}.`);
  }
  return announcements;
}

/** Returns the deprecations of an operation that this request uses. */
export function usedDeprecations(deprecations: readonly Deprecation[], inputs: Inputs): Deprecation[] {
  return deprecations.filter(({ where }) => {
    if (where.in === 'operation' || where.in === 'response') return true;
    if (where.in === 'events') return selectsEvents(inputs.query, where.type, where.schemaVersion);
    return where.in === 'query' ? Object.hasOwn(inputs.query, where.name) : has(inputs.body, where.pointer);
  });
}

/** Returns true if a read of events can return events of the type in the version. */
function selectsEvents(query: Inputs['query'], type: string, version: number | undefined): boolean {
  const { type: selected = type, schemaVersion = DEFAULT_SCHEMA_VERSION } = query;
  return selected === type && (version === undefined || schemaVersion === version);
}

function has(value: unknown, pointer: string): boolean {
  let inner = value;
  for (const name of pointer.split('/').slice(1)) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return false;
    inner = (inner as Record<string, unknown>)[name]; // the object has this property
  }
  return true;
}

/**
 * Returns the headers of RFC 9745 and RFC 8594. The dates are those of the deprecation that ends first; each
 * deprecation adds its links.
 */
export function deprecationHeaders(used: readonly Deprecation[], pagesUrl: string): Record<string, string> {
  const [first] = [...used].sort((a, b) => endsMs(a) - endsMs(b));
  if (!first) return {};
  const pages = used.map(({ id }) => `${pagesUrl}/${id}`);
  return headersOf(first, pages);
}

function headersOf(period: MigrationPeriod, pages: readonly string[]): Record<string, string> {
  const links = pages.flatMap((page) =>
    ['deprecation', 'sunset'].map((relation) => `<${page}>; rel="${relation}"; type="text/html"`),
  );
  return {
    deprecation: `@${announcedMs(period) / 1000}`,
    sunset: new Date(endsMs(period)).toUTCString(),
    link: links.join(', '),
  };
}

const EXPIRED_PERIOD: MigrationPeriod = { announced: '2026-01-01', ends: '2026-07-01' };

/**
 * Returns the headers of a `gone` that serves as an example. Nothing ended in that case, so the links lead to the page of all
 * deprecations.
 */
export const exampleGoneHeaders = (pagesUrl: string): Record<string, string> => headersOf(EXPIRED_PERIOD, [pagesUrl]);

export interface DeprecationOptions<Exchange> {
  /** Base URL of the pages. */
  pagesUrl: string;
  count(exchange: Exchange, used: readonly Deprecation[]): void;
  nowMs(): number;
}

/**
 * Runs before the operation: names the deprecated parts of the request in the response headers, counts them, and refuses
 * those that have ended.
 */
export function applyDeprecations<Exchange>(
  exchange: Exchange,
  reply: { headers(values: Record<string, string>): unknown },
  declared: readonly Deprecation[],
  inputs: Inputs,
  options: DeprecationOptions<Exchange>,
): void {
  const used = usedDeprecations(declared.filter(isInRequest), inputs);
  if (used.length === 0) return;
  options.count(exchange, used);
  reply.headers(deprecationHeaders(used, options.pagesUrl));
  const now = options.nowMs();
  const over = used.find((one) => endsMs(one) <= now);
  if (over) throw problem('gone', { detail: `${over.title} ended on ${over.ends}. ${over.replacement}` });
}

/**
 * Runs after the operation succeeded: counts the deprecated fields and events that its response can contain. A response
 * with one event contains its `eventType` only.
 */
export function countReturned<Exchange>(
  exchange: Exchange,
  declared: readonly Deprecation[],
  { query, body }: Inputs,
  { eventType: type }: { eventType?: string | undefined },
  options: DeprecationOptions<Exchange>,
): void {
  const returned = usedDeprecations(
    declared.filter((one) => !isInRequest(one)),
    { query: type === undefined ? query : { ...query, type }, body },
  );
  if (returned.length > 0) options.count(exchange, returned);
}
