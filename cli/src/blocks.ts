// Prints the rows of a list as blocks, one line per field, if the terminal is too narrow for a table. Nothing is cut
// off.
import { type Columns, cellOf, colourStatus, fieldOf, heading, type OutputFormat } from './cells.ts';
import { headOf } from './table.ts';
import { escapeText, pad, widthOf, wrap } from './text.ts';

const GAP = 2;
/** Smallest width of a value, in cells. On a narrower terminal the terminal itself wraps the lines. */
const LEAST_WIDTH = 20;

const ABBREVIATIONS = /\b(id|ip|kid|ms|url)\b/gi;

/** Returns the label of a field: `health.successRate` as `Success rate`, `endpointUrl` as `Endpoint URL`. */
function labelOf(column: string): string {
  const head = headOf(escapeText(column));
  const label = head.slice(0, 1) + head.slice(1).toLowerCase();
  return label.replaceAll(ABBREVIATIONS, (word) => (word === 'ms' ? word : word.toUpperCase()));
}

/** Returns the rows as blocks, with an empty line between two blocks. */
export function blocks(rows: readonly unknown[], columns: Columns, width: number, form: OutputFormat): string {
  const labels = columns.map(labelOf);
  const labelWidth = Math.max(...labels.map(widthOf));
  const valueWidth = Math.max(LEAST_WIDTH, width - labelWidth - GAP);
  return rows
    .map((row) =>
      columns
        .flatMap((column, at) =>
          wrap(cellOf(fieldOf(row, column)), valueWidth).map(
            (text, line) =>
              `${heading(pad(line === 0 ? (labels[at] ?? '') : '', labelWidth), form)}${' '.repeat(GAP)}${colourStatus(text, column, form)}\n`,
          ),
        )
        .join(''),
    )
    .join('\n');
}
