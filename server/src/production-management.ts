// What is managed of production, and what the platform behind it tells. Nobody makes an app there by themselves, and nothing in it is
// synthetic.
import type { FastifyInstance } from 'fastify';
import { newestData, olderData } from './event-catalogue.ts';
import { liveOperations } from './features/apps/index.ts';
import type { Plane } from './features/authority/index.ts';
import { type IngestOptions, ingestOperations } from './features/ingest/index.ts';
import { consoleFailureOperations } from './features/upstream-failures/index.ts';
import type { MountOptions } from './kit/mount.ts';
import { managementOf, serveManagement } from './management.ts';
import { productionApi } from './production-api.ts';

export function createProductionManagement(
  plane: Plane,
  { key, worker }: Pick<IngestOptions, 'key' | 'worker'>,
  onInternalError: (error: unknown, requestId: string) => void,
  count?: MountOptions<Plane>['count'],
): FastifyInstance {
  const ingest = ingestOperations({ key, worker, schemaOf: newestData, olderOf: olderData });
  return serveManagement(
    [...managementOf(productionApi()), ...liveOperations, ...ingest, ...consoleFailureOperations],
    plane,
    onInternalError,
    count,
  );
}
