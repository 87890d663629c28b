// Prints one object on a terminal: one line per field, nested lists as tables below. No sentence is cut off.
import { type Columns, cellOf, colourStatus, fieldOf, heading, isObject, type OutputFormat } from './cells.ts';
import { findCutColumns, type OnOmittedColumns, tableLines } from './table.ts';
import { escapeText, pad, widthOf, wrap } from './text.ts';

type Item = Record<string, unknown>;

const isList = (part: unknown): part is Item[] => Array.isArray(part) && part.length > 0 && part.every(isObject);

/** Prints one line per field, and each list of objects as a table below. */
export function record(value: Item, width: number, form: OutputFormat, onOmittedColumns?: OnOmittedColumns): string {
  const entries = Object.entries(flat(value));
  const plain = entries.filter(([, part]) => !isList(part));
  const names = Math.max(0, ...plain.map(([name]) => widthOf(name)));
  const lines = plain.flatMap(([name, part]) =>
    linesOf(part).map(
      (text, at) => `${heading(pad(at === 0 ? escapeText(name) : '', names), form)}  ${colourStatus(text, name, form)}`,
    ),
  );
  const lists = entries.flatMap(([name, part]) =>
    isList(part) ? ['', escapeText(name), ...listLines(part, width, form, onOmittedColumns)] : [],
  );
  return [...lines, ...lists].map((line) => `${line}\n`).join('');
}

/** Returns one line per sentence of a list, or one line for any other value. */
const linesOf = (part: unknown): string[] =>
  Array.isArray(part) && part.some((one) => typeof one === 'string' && /\s\S*\s/.test(one))
    ? part.map(cellOf)
    : [cellOf(part)];

/** Prints a list of objects without cutting off a sentence. */
export const list = (...of: Parameters<typeof listLines>): string =>
  listLines(...of)
    .map((line) => `${line}\n`)
    .join('');

/** Returns a table. Below each row stand the values that do not fit into a cell: nested lists and long sentences. */
function listLines(
  items: readonly Item[],
  width: number,
  form: OutputFormat,
  onOmittedColumns?: OnOmittedColumns,
): string[] {
  const rows = items.map((item) => flat(item));
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const beneath = findColumnsBelow(rows, columns, width);
  const beside = columns.filter((name) => !beneath.includes(name));
  const [heads = '', ...lines] = tableLines(rows, beside, width, form, onOmittedColumns);
  const all = rows.flatMap((row, at) => [
    lines[at] ?? '',
    ...beneath.flatMap((name) => renderBelowRow(name, fieldOf(row, name), width, form, onOmittedColumns)),
  ]);
  return beside.length === 0 ? all.filter((line) => line !== '') : [heads, ...all];
}

function findColumnsBelow(rows: readonly Item[], columns: Columns, width: number): Columns {
  const beneath = new Set(columns.filter((name) => rows.some((row) => isList(row[name]))));
  // The other columns can fit once the longest is moved below.
  for (;;) {
    const beside = columns.filter((name) => !beneath.has(name));
    const [longest] = findCutColumns(rows, beside, width);
    if (longest === undefined) return columns.filter((name) => beneath.has(name));
    beneath.add(longest);
  }
}

const INDENT = '  ';
// A narrower width would leave one word per line.
const LEAST_WIDTH = 20;

function renderBelowRow(
  name: string,
  value: unknown,
  width: number,
  form: OutputFormat,
  onOmittedColumns?: OnOmittedColumns,
): string[] {
  const inner = Math.max(LEAST_WIDTH, width - 2 * INDENT.length);
  const label = `${escapeText(name)}:`;
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `${INDENT}${INDENT}${line}`);
  if (isList(value))
    return [INDENT + heading(label, form), ...indented(listLines(value, inner, form, onOmittedColumns))];
  const text = cellOf(value);
  if (text === '-') return [];
  const [first = '', ...rest] = wrap(`${label} ${text}`, inner);
  const headed = first.startsWith(label) ? heading(label, form) + first.slice(label.length) : first;
  return [INDENT + headed, ...indented(rest)];
}

/** Flattens nested objects into fields such as `subject.id`. */
const flat = (value: Item): Item => Object.fromEntries(flatEntries(value, ''));

const flatEntries = (value: Item, before: string): [string, unknown][] =>
  Object.entries(value).flatMap(([name, part]): [string, unknown][] =>
    isObject(part) && Object.keys(part).length > 0 ? flatEntries(part, `${before}${name}.`) : [[before + name, part]],
  );
