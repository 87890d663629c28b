// Writes rows for a spreadsheet. No cell is a formula, whatever its text.

// Characters that begin a formula, also in full width (OWASP, "CSV Injection"). An apostrophe turns the cell into text.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Returns a row by RFC 4180. Every cell is quoted, so that no text can begin another cell. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? '');
    return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  });
  return `${quoted.join(',')}\r\n`;
}
