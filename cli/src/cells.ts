// What a cell shows: a field of what was answered, on one line, inert, and coloured where it says how something stands.
import { inert, inertJson } from './text.ts';

export interface Form {
  /** Fields of `--json`; empty for all of them. Undefined where it was not asked for. */
  json: readonly string[] | undefined;
  hasColour: boolean;
}

/** What a list or a record shows on a terminal: paths of fields, as `subject.id`. */
export type Columns = readonly string[];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field by its path. */
export function fieldOf(value: unknown, path: string): unknown {
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  const [first = '', ...rest] = path.split('.');
  const inner = isObject(value) && Object.hasOwn(value, first) ? value[first] : undefined;
  return rest.length === 0 ? inner : fieldOf(inner, rest.join('.'));
}

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/;

/** Three significant digits of a fraction, and every digit of an integer part. A value below 1 is never shown as 1. */
function rounded(value: number): number {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  const near = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return Math.abs(value) < 1 && Math.abs(near) === 1 ? near * 0.999 : near;
}

/** A value in a cell: on one line, and inert. */
export function cellOf(value: unknown): string {
  if (typeof value === 'number') return String(rounded(value));
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && !value.some((part) => typeof part === 'object')) return inert(value.join(', ')) || '-';
  if (typeof value === 'object') return inertJson(value);
  return inert(String(value)).replace(MOMENT, '$1 $2Z');
}

const styled = (code: number, text: string): string => `\u001b[${code}m${text}\u001b[0m`;

// Whose values say how something stands or ended. In other fields 500 is a number, and `accepted` what is wished for.
const STANDING = /(^|\.)(status|\w+Status|state|\w+State|standing|outcome|verdict|from|to)$/;
const STATUS = /(^|\.)(status|\w+Status)$/;
const BAD = /^(failed|revoked|suspended|deleting|disabled|cancelled|broken|expired|stopped)$/;
const GOOD = /^(succeeded|active|authorised|enabled|passed|completed|holds|accepted)$/;

/** A value of this field, in the colour of what it says. */
export function paint(text: string, field: string, form: Form): string {
  if (!form.hasColour || !STANDING.test(field)) return text;
  const word = text.trim();
  const isStatus = STATUS.test(field);
  if (BAD.test(word) || (isStatus && /^[45]\d\d$/.test(word))) return styled(31, text);
  return GOOD.test(word) || (isStatus && /^2\d\d$/.test(word)) ? styled(32, text) : text;
}

export const heading = (text: string, form: Form): string => (form.hasColour ? styled(2, text) : text);
