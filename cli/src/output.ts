// How results are printed: as tables where somebody reads them on a terminal, and as JSON, one object a line, to all others.
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { inert, inertJson, inertLines, pad, shorten, widthOf } from './text.ts';

export interface Form {
  /** Fields of `--json`; empty for all of them. Undefined where it was not asked for. */
  json: readonly string[] | undefined;
  hasColour: boolean;
}

/** What a list or a record shows on a terminal: paths of fields, as `subject.id`. */
export type Columns = readonly string[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field by its path. */
export function fieldOf(value: unknown, path: string): unknown {
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  const [first = '', ...rest] = path.split('.');
  const inner = isObject(value) && Object.hasOwn(value, first) ? value[first] : undefined;
  return rest.length === 0 ? inner : fieldOf(inner, rest.join('.'));
}

/** The chosen fields, in the order in which they were chosen. */
export function choose(value: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || !isObject(value)) return value;
  const unknown = fields.find((field) => fieldOf(value, field) === undefined);
  if (unknown !== undefined) {
    throw new UsageError(`there is no field ${inert(unknown)}; there are ${inert(Object.keys(value).join(', '))}.`);
  }
  return Object.fromEntries(fields.map((field) => [field, fieldOf(value, field)]));
}

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/;

/** A value in a cell: on one line, and inert. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && !value.some((part) => typeof part === 'object')) return inert(value.join(', ')) || '-';
  if (typeof value === 'object') return inertJson(value);
  return inert(String(value)).replace(MOMENT, '$1 $2Z');
}

const styled = (code: number, text: string): string => `\u001b[${code}m${text}\u001b[0m`;

const BAD = /^(failed|revoked|suspended|deleting|disabled|cancelled|broken|expired|stopped|[45]\d\d)$/;
const GOOD = /^(succeeded|active|authorised|enabled|passed|completed|holds|accepted|2\d\d)$/;

function paint(text: string, form: Form): string {
  if (!form.hasColour) return text;
  const word = text.trim();
  return BAD.test(word) ? styled(31, text) : GOOD.test(word) ? styled(32, text) : text;
}

const heading = (text: string, form: Form): string => (form.hasColour ? styled(2, text) : text);

const IDENTIFIER = /^[a-z]{2,4}_[0-9a-z]{26}$/;
const SHOWN_MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/;
const GAP = 2;
const LEAST = 6;
const DATE = '2026-11-02…'.length;
const MINUTE = '2026-11-02 10:15…'.length;

interface Column {
  name: string;
  cells: readonly string[];
  width: number;
  /** Less of it would say nothing; of an identifier nothing can be spared, because it is what other commands take. */
  least: number;
  isIdentifier: boolean;
}

function columnOf(name: string, cells: readonly string[]): Column {
  const width = Math.max(widthOf(name), ...cells.map(widthOf));
  const isIdentifier = cells.some((cell) => IDENTIFIER.test(cell));
  // Of when something happened the time of day is asked for, of when a thing was made or ends the day.
  const leastMoment = name === 'at' ? MINUTE : DATE;
  const least = cells.some((cell) => SHOWN_MOMENT.test(cell)) ? leastMoment : LEAST;
  return { name, cells, width, isIdentifier, least: isIdentifier ? width : Math.min(width, least) };
}

const widthIn = (columns: readonly Column[], of: 'width' | 'least'): number =>
  columns.reduce((total, column) => total + column[of], GAP * (columns.length - 1));

/** Those for which there is room, as wide as there is room for. */
function fitted(columns: readonly Column[], width: number): Column[] {
  const shown = [...columns];
  while (widthIn(shown, 'least') > width) {
    const at = shown.findLastIndex(({ isIdentifier }) => !isIdentifier);
    if (at === -1) break;
    shown.splice(at, 1);
  }
  for (let over = widthIn(shown, 'width') - width; over > 0; over -= 1) {
    const [widest] = shown.filter((one) => one.width > one.least).sort((a, b) => b.width - a.width);
    if (!widest) break;
    widest.width -= 1;
  }
  return shown;
}

/** Told of the columns that have no room at all. */
type OnLeftOut = (names: readonly string[]) => void;

/**
 * Rows under their headings, no wider than the terminal unless its identifiers are: what is too long is cut off in the widest column,
 * and what would be cut down to nothing is left out, the last column first.
 */
export function table(
  rows: readonly unknown[],
  columns: Columns,
  width: number,
  form: Form,
  onLeftOut: OnLeftOut = () => {},
): string {
  const all = columns.map((name) =>
    columnOf(
      inert(name),
      rows.map((row) => cellOf(fieldOf(row, name))),
    ),
  );
  const shown = fitted(all, width);
  if (shown.length < all.length) onLeftOut(all.filter((one) => !shown.includes(one)).map(({ name }) => name));
  const widths = shown.map((one) => one.width);
  const heads = shown.map(({ name }) => name.toUpperCase());
  const cells = rows.map((_, at) => shown.map((one) => one.cells[at] ?? ''));
  const lineOf = (line: readonly string[], style: (text: string) => string): string =>
    line
      .map((cell, at) => {
        const text = shorten(cell, widths[at] ?? 0);
        return style(at === line.length - 1 ? text : pad(text, widths[at] ?? 0));
      })
      .join('  ');
  return [
    lineOf(heads, (text) => heading(text, form)),
    ...cells.map((line) => lineOf(line, (text) => paint(text, form))),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** A line for each field; a list of objects is a table of its own beneath. */
export function record(value: Record<string, unknown>, width: number, form: Form, onLeftOut?: OnLeftOut): string {
  const entries = Object.entries(flat(value));
  const isTable = (part: unknown): part is Record<string, unknown>[] =>
    Array.isArray(part) && part.length > 0 && part.every(isObject);
  const plain = entries.filter(([, part]) => !isTable(part));
  const names = Math.max(0, ...plain.map(([name]) => widthOf(name)));
  const lines = plain.map(
    ([name, part]) => `${heading(pad(inert(name), names), form)}  ${paint(cellOf(part), form)}\n`,
  );
  const tables = entries.flatMap(([name, part]) =>
    isTable(part) ? [`\n${inert(name)}\n${table(part, columnsOf(part), width, form, onLeftOut)}`] : [],
  );
  return lines.join('') + tables.join('');
}

const columnsOf = (rows: readonly Record<string, unknown>[]): Columns => [...new Set(rows.flatMap(Object.keys))];

function flat(value: Record<string, unknown>, before = ''): Record<string, unknown> {
  const parts = Object.entries(value).map(([name, part]) =>
    isObject(part) && Object.keys(part).length > 0 ? flat(part, `${before}${name}.`) : { [before + name]: part },
  );
  return Object.assign({}, ...parts);
}

const tellLeftOut =
  (io: Io): OnLeftOut =>
  (names) =>
    io.err(`Left out for want of room: ${names.join(', ')}. A wider terminal shows them, and --json.\n`);

/** One result, of whatever kind. */
export function printOne(io: Io, value: unknown, form: Form): void {
  if (value === undefined) return;
  if (typeof value === 'string') {
    const text = io.isTerminal ? inertLines(value) : value;
    io.out(text.endsWith('\n') ? text : `${text}\n`);
  } else if (form.json || !io.isTerminal || !isObject(value)) {
    io.out(`${inertJson(choose(value, form.json ?? []), io.isTerminal ? 2 : undefined)}\n`);
  } else io.out(record(value, io.columns, form, tellLeftOut(io)));
}

/** What is JSON itself and whole programs read: laid out for people too, on a terminal and in a file. */
export function printDocument(io: Io, value: unknown, form: Form): void {
  io.out(`${inertJson(choose(value, form.json ?? []), 2)}\n`);
}

/** A list: as a table it is printed when it is whole, as lines each at once. */
export async function printList(
  io: Io,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  columns: Columns,
  form: Form,
): Promise<void> {
  const rows: unknown[] = [];
  for await (const item of items) {
    if (form.json || !io.isTerminal) io.out(`${inertJson(choose(item, form.json ?? []))}\n`);
    else rows.push(item);
  }
  if (form.json || !io.isTerminal) return;
  if (rows.length === 0) io.err('Nothing found.\n');
  else io.out(table(rows, columns, io.columns, form, tellLeftOut(io)));
}

/** Of what comes little by little: each row at once, in columns that widen as they have to. */
export function createStream(io: Io, columns: Columns, form: Form): (items: readonly unknown[]) => void {
  const widths = columns.map(() => 0);
  return (items) => {
    for (const item of items) {
      if (form.json || !io.isTerminal) {
        io.out(`${inertJson(choose(item, form.json ?? []))}\n`);
        continue;
      }
      const cells = columns.map((column) => cellOf(fieldOf(item, column)));
      for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
      const padded = cells.map((cell, at) => (at === cells.length - 1 ? cell : pad(cell, widths[at] ?? 0)));
      io.out(`${padded.map((cell) => paint(cell, form)).join('  ')}\n`);
    }
  };
}
