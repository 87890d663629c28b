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
  instead: string;
}

export interface Deprecation extends Announcement {
  /** The deprecated part: the whole operation, a query parameter, or a field of the body by JSON Pointer. */
  where: { in: 'operation' } | { in: 'query'; name: string } | { in: 'body'; pointer: string };
}

export const MIN_MIGRATION_DAYS = 180;
interface Inputs {
  query: Record<string, unknown>;
  body: unknown;
}

const DAY_MS = 86_400_000;

export const announcedMs = ({ announced }: MigrationPeriod): number => Date.parse(`${announced}T00:00:00Z`);
export const endsMs = ({ ends }: MigrationPeriod): number => Date.parse(`${ends}T00:00:00Z`);

/** Returns the days between announcement and end. */
export const migrationDays = (period: MigrationPeriod): number => (endsMs(period) - announcedMs(period)) / DAY_MS;

/** Returns the deprecations of an operation that this request uses. */
export function usedDeprecations(deprecations: readonly Deprecation[], inputs: Inputs): Deprecation[] {
  return deprecations.filter(({ where }) => {
    if (where.in === 'operation') return true;
    return where.in === 'query' ? Object.hasOwn(inputs.query, where.name) : has(inputs.body, where.pointer);
  });
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
 * Returns the headers of a simulated `gone`. Nothing ended in that case, so the links lead to the page of all
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
 * Runs before the operation: names the deprecated uses in the response headers, counts them, and refuses those that
 * have ended.
 */
export function applyDeprecations<Exchange>(
  exchange: Exchange,
  reply: { headers(values: Record<string, string>): unknown },
  declared: readonly Deprecation[],
  inputs: Inputs,
  options: DeprecationOptions<Exchange>,
): void {
  const used = usedDeprecations(declared, inputs);
  if (used.length === 0) return;
  reply.headers(deprecationHeaders(used, options.pagesUrl));
  options.count(exchange, used);
  const now = options.nowMs();
  const over = used.find((one) => endsMs(one) <= now);
  if (over) throw problem('gone', { detail: `${over.title} ended on ${over.ends}. ${over.instead}` });
}
