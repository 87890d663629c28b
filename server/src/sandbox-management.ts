// What is managed of the sandbox: what is of any environment, and its apps, worlds, faults and calls, which production has no code for.
import type { FastifyInstance } from 'fastify';
import { newAppOperations } from './features/apps/index.ts';
import type { Plane } from './features/authority/index.ts';
import { callOperations } from './features/calls/index.ts';
import { evidenceOperations } from './features/evidence/index.ts';
import { faultOperations } from './features/faults/index.ts';
import { FIRST_WORLD, makeWorld, worldOperations } from './features/world/index.ts';
import type { MountOptions } from './kit/mount.ts';
import type { AnyOperation } from './kit/operation.ts';
import { isKeyed, managementOf, serveManagement } from './management.ts';
import { publicOperations, sandboxApi } from './sandbox-api.ts';

export const sandboxManagement: readonly AnyOperation<Plane>[] = [
  ...managementOf(sandboxApi),
  ...newAppOperations((tenant) => makeWorld(tenant, FIRST_WORLD)),
  ...worldOperations,
  ...callOperations(publicOperations.map(({ path }) => path)),
  ...evidenceOperations(publicOperations),
  // Those whose calls can meet a fault.
  ...faultOperations(publicOperations.filter(isKeyed).map(({ id }) => id)),
];

export function createManagement(
  plane: Plane,
  onInternalError: (error: unknown, requestId: string) => void,
  count?: MountOptions<Plane>['count'],
): FastifyInstance {
  return serveManagement(sandboxManagement, plane, onInternalError, count);
}
