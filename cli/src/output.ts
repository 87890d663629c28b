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

/** Rows under their headings, no wider than the terminal: what is too long is cut off in the widest column. */
export function table(rows: readonly unknown[], columns: Columns, width: number, form: Form): string {
  const cells = rows.map((row) => columns.map((column) => cellOf(fieldOf(row, column))));
  const heads = columns.map((column) => inert(column.toUpperCase()));
  const widths = columns.map((_, at) => Math.max(...[heads, ...cells].map((line) => widthOf(line[at] ?? ''))));
  const gaps = 2 * (columns.length - 1);
  for (let over = sum(widths) + gaps - width; over > 0; over = sum(widths) + gaps - width) {
    const widest = widths.indexOf(Math.max(...widths));
    const next = Math.max(6, ...widths.filter((_, at) => at !== widest));
    const narrowed = Math.max(6, Math.min((widths[widest] ?? 0) - 1, Math.max((widths[widest] ?? 0) - over, next)));
    if (narrowed >= (widths[widest] ?? 0)) break;
    widths[widest] = narrowed;
  }
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

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** A line for each field; a list of objects is a table of its own beneath. */
export function record(value: Record<string, unknown>, width: number, form: Form): string {
  const entries = Object.entries(flat(value));
  const isTable = (part: unknown): part is Record<string, unknown>[] =>
    Array.isArray(part) && part.length > 0 && part.every(isObject);
  const plain = entries.filter(([, part]) => !isTable(part));
  const names = Math.max(0, ...plain.map(([name]) => widthOf(name)));
  const lines = plain.map(
    ([name, part]) => `${heading(pad(inert(name), names), form)}  ${paint(cellOf(part), form)}\n`,
  );
  const tables = entries.flatMap(([name, part]) =>
    isTable(part) ? [`\n${inert(name)}\n${table(part, columnsOf(part), width, form)}`] : [],
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

/** One result, of whatever kind. */
export function printOne(io: Io, value: unknown, form: Form): void {
  if (value === undefined) return;
  if (typeof value === 'string') {
    const text = io.isTerminal ? inertLines(value) : value;
    io.out(text.endsWith('\n') ? text : `${text}\n`);
  } else if (form.json || !io.isTerminal || !isObject(value)) {
    io.out(`${inertJson(choose(value, form.json ?? []), io.isTerminal ? 2 : undefined)}\n`);
  } else io.out(record(value, io.columns, form));
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
  else io.out(table(rows, columns, io.columns, form));
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
