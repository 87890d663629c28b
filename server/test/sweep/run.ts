// Calls cells and holds what they answer against what the model expects of them.
import { crc32 } from 'node:zlib';
import type { Called } from './calls.ts';
import type { Expected } from './model.ts';

export interface Cell {
  /** Its place in each dimension. */
  name: string;
  /** Cells that answer not_found under the same words answer the very same bytes. */
  sameAs: string;
  /** Of whom nothing of others may be in an answer: of an app, or of an organisation with all of its apps. */
  tenant: 'app' | 'organisation' | undefined;
  expected: Expected;
  call(): Promise<Called>;
  /** What else is wrong with the answer, in a sentence. */
  look?(answer: Called): string | undefined;
}

export interface Others {
  app: ReadonlySet<string>;
  organisation: ReadonlySet<string>;
}

/** One in so many, and each time the same: which it is follows from the name, so that no dimension is left out. */
export function* oneIn(many: number, cells: Iterable<Cell>): Iterable<Cell> {
  for (const cell of cells) if (crc32(cell.name) % many === 0) yield cell;
}

// As many as the smallest pool of connections has: none of them waits for one, however slow the machine is.
const AT_ONCE = 5;

/** A line for each difference. */
export async function runCells(
  cells: Iterable<Cell>,
  others: Others,
): Promise<{ count: number; differences: string[] }> {
  const differences: string[] = [];
  const notFound = new Map<string, { bytes: string; name: string }>();
  let count = 0;
  const rest = cells[Symbol.iterator]();

  function compare(cell: Cell, answer: Called): void {
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
      differences.push(`${cell.name} is told apart from ${first.name}: ${apart(bytes, first.bytes)}`);
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

function codeOf({ status, text }: Called): string | undefined {
  return status >= 400 ? JSON.parse(text).code : undefined;
}

const IDENTIFIER = /[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}/g;

/** What of others is in a successful answer. */
function leakOf({ tenant }: Cell, { status, text }: Called, others: Others): string | undefined {
  if (tenant === undefined || status >= 300) return undefined;
  const found = text.match(IDENTIFIER)?.find((id) => others[tenant].has(id));
  return found && `it shows ${found}, which is somebody else's`;
}

// What differs from answer to answer, whatever is asked for.
const OF_THE_MOMENT = ['request-id', 'date', 'ratelimit', 'set-cookie'];

/** Everything that an answer tells, but for its request's identifier. */
function bytesOf({ status, headers, text }: Called): string {
  const told = Object.entries(headers).filter(([name]) => !OF_THE_MOMENT.includes(name));
  return JSON.stringify([status, told, text.replaceAll(String(headers['request-id']), '')]);
}

/** Two texts from where they part. */
function apart(one: string, other: string): string {
  const at = [...one].findIndex((letter, place) => letter !== other[place]);
  return `${one.slice(at, at + 60)} and ${other.slice(at, at + 60)}`;
}
