// A request as a row of a table.
import { csvRow } from '../../kit/csv.ts';
import type { RequestRecord } from '../requests/index.ts';

const COLUMNS: Record<string, (request: RequestRecord) => string | number | null> = {
  id: (request) => request.id,
  at: (request) => request.at,
  status: (request) => request.status,
  code: (request) => request.code,
  operationId: (request) => request.operationId,
  method: (request) => request.method,
  path: (request) => request.path,
  durationMs: (request) => request.durationMs,
  keyId: (request) => request.keyId,
  simulated: (request) => request.simulated,
};

export const csvHead = (): string => csvRow(Object.keys(COLUMNS));
export const toCsv = (request: RequestRecord): string => csvRow(Object.values(COLUMNS).map((cell) => cell(request)));
