// Formats one field of a response for a table cell: on one line, with control characters escaped, and coloured if it is
// a status.
import { escapeJson, escapeText } from './text.ts';

export interface OutputFormat {
  /** Fields that `--json` names. Empty: all fields. Undefined: `--json` was not given. */
  json: readonly string[] | undefined;
  hasColour: boolean;
}

/** Fields that a list or a record shows on a terminal, as paths such as `subject.id`. */
export type Columns = readonly string[];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the field at a path such as `subject.id`, or undefined. */
export function fieldOf(value: unknown, path: string): unknown {
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  const [first = '', ...rest] = path.split('.');
  const inner = isObject(value) && Object.hasOwn(value, first) ? value[first] : undefined;
  return rest.length === 0 ? inner : fieldOf(inner, rest.join('.'));
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/;

/**
 * Rounds a fraction to three significant digits and keeps every digit of an integer part. A value below 1 is never
 * shown as 1.
 */
function rounded(value: number): number {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  const near = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return Math.abs(value) < 1 && Math.abs(near) === 1 ? near * 0.999 : near;
}

/** Returns a value as the text of a cell, on one line and with control characters escaped. */
export function cellOf(value: unknown): string {
  if (typeof value === 'number') return String(rounded(value));
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && !value.some((part) => typeof part === 'object'))
    return escapeText(value.join(', ')) || '-';
  if (typeof value === 'object') return escapeJson(value);
  return escapeText(String(value)).replace(TIMESTAMP, '$1 $2Z');
}

const styled = (code: number, text: string): string => `\u001b[${code}m${text}\u001b[0m`;

// Fields whose values are a status or an outcome. In other fields 500 is a plain number, and `accepted` a value that
// the user chose.
const STATUS_FIELD = /(^|\.)(status|\w+Status|state|\w+State|outcome|verdict|from|to)$/;
const STATUS = /(^|\.)(status|\w+Status)$/;
const BAD = /^(failed|revoked|suspended|deleting|disabled|cancelled|broken|expired|stopped)$/;
const GOOD = /^(succeeded|active|authorised|enabled|passed|completed|holds|accepted)$/;

/** Colours the text if the field is a status or an outcome: red for a failure, green for a success. */
export function colourStatus(text: string, field: string, form: OutputFormat): string {
  if (!form.hasColour || !STATUS_FIELD.test(field)) return text;
  const word = text.trim();
  const isStatus = STATUS.test(field);
  if (BAD.test(word) || (isStatus && /^[45]\d\d$/.test(word))) return styled(31, text);
  return GOOD.test(word) || (isStatus && /^2\d\d$/.test(word)) ? styled(32, text) : text;
}

export const heading = (text: string, form: OutputFormat): string => (form.hasColour ? styled(2, text) : text);
