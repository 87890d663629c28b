// Calls cells and compares their responses with the model.
import { crc32 } from 'node:zlib';
import type { CallResult } from './calls.ts';
import type { ExpectedResponse } from './model.ts';

export interface Cell {
  /** Its position in each dimension. */
  name: string;
  /** Cells with the same value that get not_found must get identical bytes. */
  sameAs: string;
  /**
   * The tenant of the caller, whose response must contain nothing of others: an app, or an organisation with all of its
   * apps.
   */
  tenant: 'app' | 'organisation' | undefined;
  expected: ExpectedResponse;
  call(): Promise<CallResult>;
  /** Returns a further fault of the response, in a sentence. */
  look?(answer: CallResult): string | undefined;
}

export interface OtherTenants {
  app: ReadonlySet<string>;
  organisation: ReadonlySet<string>;
}

/**
 * Yields one in `many` cells, always the same ones. The choice depends on the name, so that no dimension is left out.
 */
export function* sampleCells(many: number, cells: Iterable<Cell>): Iterable<Cell> {
  for (const cell of cells) if (crc32(cell.name) % many === 0) yield cell;
}

// The size of the smallest connection pool, so that no cell waits for a connection on a slow machine.
const AT_ONCE = 5;

/** Calls the cells. Returns a line for each difference. */
export async function runCells(
  cells: Iterable<Cell>,
  others: OtherTenants,
): Promise<{ count: number; differences: string[] }> {
  const differences: string[] = [];
  const notFound = new Map<string, { bytes: string; name: string }>();
  let count = 0;
  const rest = cells[Symbol.iterator]();

  function compare(cell: Cell, answer: CallResult): void {
    const { status, code } = cell.expected;
    const is = codeOf(answer);
    if (answer.status !== status || is !== code) {
      differences.push(`${cell.name}: expected ${status} ${code ?? ''}, got ${answer.status} ${is ?? ''}`);
    }
    const wrong = cell.look?.(answer) ?? leakOf(cell, answer, others);
    if (wrong !== undefined) differences.push(`${cell.name}: ${wrong}`);
    if (is !== 'not_found') return;
    const bytes = bytesOf(answer);
    const first = notFound.get(cell.sameAs);
    if (!first) notFound.set(cell.sameAs, { bytes, name: cell.name });
    else if (first.bytes !== bytes)
      differences.push(
        `${cell.name} can be distinguished from ${first.name}: ${fromFirstDifference(bytes, first.bytes)}`,
      );
  }

  async function work(): Promise<void> {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      count += 1;
      compare(next.value, await next.value.call());
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { count, differences };
}

function codeOf({ status, text }: CallResult): string | undefined {
  return status >= 400 ? JSON.parse(text).code : undefined;
}

/** An identifier with a prefix, or a number that `newNumber` made. */
const IDENTIFIER = /[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}|\b4\d{12}\b/g;

/** Returns the data of other tenants in a successful response. */
function leakOf({ tenant }: Cell, { status, text }: CallResult, others: OtherTenants): string | undefined {
  if (tenant === undefined || status >= 300) return undefined;
  const leaked = text.match(IDENTIFIER)?.find((id) => others[tenant].has(id));
  return leaked && `it shows ${leaked}, which belongs to another organisation`;
}

// Headers that differ between equal responses.
const VOLATILE_HEADERS = ['request-id', 'date', 'ratelimit', 'set-cookie'];

/** Returns the whole response except its request's identifier. */
function bytesOf({ status, headers, text }: CallResult): string {
  const stableHeaders = Object.entries(headers).filter(([name]) => !VOLATILE_HEADERS.includes(name));
  return JSON.stringify([status, stableHeaders, text.replaceAll(String(headers['request-id']), '')]);
}

/** Returns two texts from their first difference on. */
function fromFirstDifference(one: string, other: string): string {
  const at = [...one].findIndex((letter, place) => letter !== other[place]);
  return `${one.slice(at, at + 60)} and ${other.slice(at, at + 60)}`;
}
