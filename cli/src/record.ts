// One object for a terminal.
import { type Columns, cellOf, type Form, heading, isObject, paint } from './cells.ts';
import { type OnLeftOut, table } from './table.ts';
import { inert, pad, widthOf } from './text.ts';

/** A line for each field; a list of objects is a table of its own beneath. */
export function record(value: Record<string, unknown>, width: number, form: Form, onLeftOut?: OnLeftOut): string {
  const entries = Object.entries(flat(value));
  const isTable = (part: unknown): part is Record<string, unknown>[] =>
    Array.isArray(part) && part.length > 0 && part.every(isObject);
  const plain = entries.filter(([, part]) => !isTable(part));
  const names = Math.max(0, ...plain.map(([name]) => widthOf(name)));
  const lines = plain.map(
    ([name, part]) => `${heading(pad(inert(name), names), form)}  ${paint(cellOf(part), name, form)}\n`,
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
