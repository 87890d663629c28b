// Exports of requests, for other programs and for spreadsheets.
import type { Environment } from '../../access/authority/index.ts';
import { exportRequestTable } from './export-request-table.ts';
import { exportRequests } from './export-requests.ts';

/** Of the Console, for each environment. */
export const requestExportOperations = (environment: Environment) => [
  exportRequests(environment),
  exportRequestTable(environment),
];
