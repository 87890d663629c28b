// Ingest: the upstream API reports events and installations.
import { isOperatorContract } from '../../access/contracts/index.ts';
import { type IngestOptions, reportEvent, reportOwnEvent } from './report-event.ts';
import { ownInstallationReports, reportInstallation } from './report-installation.ts';

export type { IngestOptions } from './report-event.ts';

export const ingestOperations = (options: IngestOptions) =>
  isOperatorContract
    ? [reportOwnEvent(options), ...ownInstallationReports(options)]
    : [reportEvent(options), reportInstallation(options)];
