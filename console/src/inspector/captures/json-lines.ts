// Prints JSON in lines, each with the JSON Pointer of the value that begins on it, so that an error can be shown next to
// its value.

interface JsonLine {
  text: string;
  /** Undefined for a line that only closes an object or array. */
  pointer: string | undefined;
}

const escapePart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns the lines of a JSON text; undefined if the text is not JSON. */
export function toJsonLines(json: string): JsonLine[] | undefined {
  const lines: JsonLine[] = [];
  const print = (value: unknown, pointer: string, depth: number, before: string, after: string): void => {
    const indent = '  '.repeat(depth);
    const isList = Array.isArray(value);
    const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (parts.length === 0) {
      lines.push({ text: `${indent}${before}${JSON.stringify(value)}${after}`, pointer });
      return;
    }
    lines.push({ text: `${indent}${before}${isList ? '[' : '{'}`, pointer });
    for (const [at, [name, part]] of parts.entries()) {
      const label = isList ? '' : `${JSON.stringify(name)}: `;
      print(part, `${pointer}/${escapePart(name)}`, depth + 1, label, at === parts.length - 1 ? '' : ',');
    }
    lines.push({ text: `${indent}${isList ? ']' : '}'}${after}`, pointer: undefined });
  };
  try {
    print(JSON.parse(json), '', 0, '', '');
  } catch {
    return undefined;
  }
  return lines;
}

/**
 * Returns the index of the line at which an error belongs: the line of its value or, if the value is missing, of the
 * nearest value around it.
 */
export function findErrorLine(lines: readonly JsonLine[], pointer: string): number {
  const found = lines.findIndex((line) => line.pointer === pointer);
  if (found !== -1 || pointer === '') return Math.max(0, found);
  return findErrorLine(lines, pointer.slice(0, pointer.lastIndexOf('/')));
}
