// Formats a request as a row of a CSV table: one column per field, structured values as JSON.
import { csvRow } from '../../kit/text/csv.ts';
import { KeptRequest } from '../requests/index.ts';

const COLUMNS = Object.keys(KeptRequest.properties) as (keyof KeptRequest)[]; // the keys of this object alone

const toCell = (value: KeptRequest[keyof KeptRequest]): string | number | null => {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
};

export const requestCsvHeader = (): string => csvRow(COLUMNS);
export const toRequestCsvRow = (request: KeptRequest): string => csvRow(COLUMNS.map((name) => toCell(request[name])));
