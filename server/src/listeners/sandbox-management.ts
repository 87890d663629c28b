// The management API of the sandbox: the operations of both environments, and those for apps, worlds, faults and calls,
// for which production has no code.
import type { FastifyInstance } from 'fastify';
import type { Plane } from '../access/authority/index.ts';
import { evidenceOperations } from '../governance/evidence/index.ts';
import { callOperations } from '../inspector/calls/index.ts';
import { captureOperations } from '../inspector/captures/index.ts';
import type { MountOptions } from '../kit/http/mount.ts';
import type { AnyOperation } from '../kit/http/operation.ts';
import { accountOf } from '../resources/objects/index.ts';
import { faultOperations } from '../sandbox/faults/index.ts';
import { objectOperations } from '../sandbox/objects/index.ts';
import { DEFAULT_WORLD, makeWorld, worldOperations } from '../sandbox/world/index.ts';
import { newAppOperations } from '../tenancy/apps/index.ts';
import { isKeyed, managementOf, serveManagement } from './management.ts';
import { publicOperations, sandboxApi } from './sandbox-api.ts';

export const sandboxManagement: readonly AnyOperation<Plane>[] = [
  ...managementOf(sandboxApi, accountOf),
  ...newAppOperations((tenant) => makeWorld(tenant, DEFAULT_WORLD)),
  ...worldOperations,
  ...objectOperations,
  ...callOperations(publicOperations.map(({ path }) => path)),
  ...captureOperations(publicOperations),
  ...evidenceOperations(publicOperations),
  // The operations whose calls can meet a fault.
  ...faultOperations(publicOperations.filter(isKeyed).map(({ id }) => id)),
];

export function createManagement(
  plane: Plane,
  onInternalError: (error: unknown, requestId: string) => void,
  count?: MountOptions<Plane>['count'],
): FastifyInstance {
  return serveManagement(sandboxManagement, plane, onInternalError, count);
}
