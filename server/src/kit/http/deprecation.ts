// What is deprecated: since when, until when, and what to use instead. Whoever uses it is told so in every answer, and
// after its end is refused.
import { problem } from '../openapi/problems.ts';

export interface MigrationPeriod {
  /** The day of the announcement and the day on which it ends, in UTC. */
  announced: `${number}-${number}-${number}`;
  ends: `${number}-${number}-${number}`;
}

/** Holds the content of an announcement's page. */
export interface Announcement extends MigrationPeriod {
  /** Of its page and in the counts of its use. */
  id: string;
  title: string;
  /** What to do instead. */
  instead: string;
}

export interface Deprecation extends Announcement {
  /** The operation as a whole, or what of a request: a query parameter, or a field of the body by JSON Pointer. */
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

/** Between its announcement and its end. */
export const migrationDays = (period: MigrationPeriod): number => (endsMs(period) - announcedMs(period)) / DAY_MS;

/** Those of an operation's deprecations that this request makes use of. */
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
    inner = (inner as Record<string, unknown>)[name]; // it has the name
  }
  return true;
}

/** RFC 9745 and RFC 8594. Of several the one that ends first speaks; each has its links. */
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

const PERIOD_THAT_IS_OVER: MigrationPeriod = { announced: '2026-01-01', ends: '2026-07-01' };

/** Those of a simulated `gone`. Nothing has ended there, so they lead to the page of all that is deprecated. */
export const exampleGoneHeaders = (pagesUrl: string): Record<string, string> =>
  headersOf(PERIOD_THAT_IS_OVER, [pagesUrl]);

export interface DeprecationOptions<Exchange> {
  /** Where the pages are. */
  pagesUrl: string;
  count(exchange: Exchange, used: readonly Deprecation[]): void;
  nowMs(): number;
}

/** Before the operation runs: says in the answer's headers what was used, counts it, and refuses what is over. */
export function tellDeprecations<Exchange>(
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
