// Ingest: the upstream API reports events and installations.
import { type IngestOptions, tellEvent } from './tell-event.ts';
import { tellInstallation } from './tell-installation.ts';

export type { EventSchemas, IngestOptions } from './tell-event.ts';

export const ingestOperations = (options: IngestOptions) => [tellEvent(options), tellInstallation(options)];
