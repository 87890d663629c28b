// Rows of a table that people open in a spreadsheet: no cell is a formula, whatever somebody has written.

// What a spreadsheet takes for a formula, in its full width too (OWASP, "CSV Injection"). An apostrophe makes it a text.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** RFC 4180; every cell in quotes, so that a separator cannot begin another. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? '');
    return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  });
  return `${quoted.join(',')}\r\n`;
}
