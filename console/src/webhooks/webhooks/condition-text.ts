// Conditions of an endpoint's filter, as form input and as text.
import type { Condition } from '../../kit/api.ts';

export const OPERATORS = [
  { value: 'equals', label: 'equals' },
  { value: 'in', label: 'is one of' },
  { value: 'prefix', label: 'begins with' },
  { value: 'exists', label: 'exists' },
  { value: 'missing', label: 'is missing' },
] as const;
export type Operator = (typeof OPERATORS)[number]['value'];

type Scalar = string | number | boolean | null;

/** Parses a JSON number, boolean, null or quoted string. Returns any other input as a text. */
function parseScalar(input: string): Scalar {
  try {
    const value: unknown = JSON.parse(input);
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Scalar; // checked
  } catch {
    // The input is not JSON, so it is a text.
  }
  return input;
}

const printScalar = (value: Scalar): string =>
  typeof value === 'string' && parseScalar(value) === value ? value : JSON.stringify(value);

export function toCondition(pointer: string, operator: Operator, input: string): Condition {
  if (operator === 'exists' || operator === 'missing') return { pointer, exists: operator === 'exists' };
  if (operator === 'prefix') return { pointer, prefix: input };
  if (operator === 'equals') return { pointer, equals: parseScalar(input) };
  return { pointer, in: input.split(',').map((part) => parseScalar(part.trim())) };
}

export function describeCondition({ pointer, equals, in: list, exists, prefix }: Condition): string {
  if (exists !== undefined) return `${pointer} ${exists ? 'exists' : 'is missing'}`;
  if (prefix !== undefined) return `${pointer} begins with ${prefix}`;
  if (list !== undefined) return `${pointer} is one of ${list.map(printScalar).join(', ')}`;
  return `${pointer} equals ${printScalar(equals ?? null)}`;
}
