// Ingest: the upstream API reports events and installations.
import { type IngestOptions, reportEvent } from './report-event.ts';
import { reportInstallation } from './report-installation.ts';

export type { IngestOptions } from './report-event.ts';

export const ingestOperations = (options: IngestOptions) => [reportEvent(options), reportInstallation(options)];
