// Compares the columns of a statement with the row type that the code states.
import type { RowMember, SqlStatement } from './collect.ts';
import type { Column } from './columns.ts';

/** Returns a sentence for each difference. `isNeverNull` states what the schema does not show. */
export function differencesOf(
  { row, added }: Pick<SqlStatement, 'row' | 'added'>,
  columns: readonly Column[],
  isNeverNull: (column: string) => boolean = () => false,
): string[] {
  if (!row) return [];
  const unknown = columns.filter(({ name }) => !added.includes(name) && !row.some((member) => member.name === name));
  return [
    ...row.flatMap((member) => differenceOf(member, columns, isNeverNull)),
    ...unknown.map(({ name }) => `${name} is not in the row type`),
  ];
}

function differenceOf(
  member: RowMember,
  columns: readonly Column[],
  isNeverNull: (column: string) => boolean,
): string[] {
  const { name, kinds, isNullable, isOptional } = member;
  const column = columns.find((one) => one.name === name);
  if (!column) return isOptional ? [] : [`${name} is not selected`];
  if (kinds.some((kind) => !isKind(kind, column.kind))) {
    return [`${name} is ${column.kind} and not ${kinds.join(' or ')}`];
  }
  // JSON has a null of its own.
  if (!column.isNullable || isNullable || isNeverNull(name)) return [];
  return [`${name} can be null`];
}

const isKind = (stated: string, kind: string): boolean =>
  stated === kind || (kind === 'json' && !['Date', 'Buffer'].includes(stated));
