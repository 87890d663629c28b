// Exports of requests, for programs and spreadsheets.
import type { Environment } from '../../access/authority/index.ts';
import { exportRequestTable } from './export-request-table.ts';
import { exportRequests } from './export-requests.ts';

/** Operations of the Console for one environment. */
export const requestExportOperations = (environment: Environment) => [
  exportRequests(environment),
  exportRequestTable(environment),
];
