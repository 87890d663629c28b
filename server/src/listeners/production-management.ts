// The management API of production, and the ingest operations for the upstream API. Members cannot create an app in
// production by themselves, and nothing in it is synthetic.
import type { FastifyInstance } from 'fastify';
import type { Plane } from '../access/authority/index.ts';
import type { MountOptions } from '../kit/http/mount.ts';
import { consoleFailureOperations } from '../platform/upstream-failures/index.ts';
import { ACCOUNT_SERVER } from '../production/identifiers/index.ts';
import { type IngestOptions, ingestOperations } from '../production/ingest/index.ts';
import { liveAccessUpdateOperations } from '../tenancy/apps/index.ts';
import { newestDataSchema, toOlderData } from './event-catalogue.ts';
import { managementOf, serveManagement } from './management.ts';
import { productionApi } from './production-api.ts';

export function createProductionManagement(
  plane: Plane,
  { key, worker }: Pick<IngestOptions, 'key' | 'worker'>,
  onInternalError: (error: unknown, requestId: string) => void,
  count?: MountOptions<Plane>['count'],
): FastifyInstance {
  const ingest = ingestOperations({ key, worker, schemaOf: newestDataSchema, olderOf: toOlderData });
  return serveManagement(
    [
      ...managementOf(productionApi(), () => ACCOUNT_SERVER),
      ...liveAccessUpdateOperations,
      ...ingest,
      ...consoleFailureOperations,
    ],
    plane,
    onInternalError,
    count,
  );
}
