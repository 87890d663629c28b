// The server whose grants permit an operation: the object of the granting resource that the operation reaches, or the
// account of the app.
import { requireGrant, type Scope, type Tenant, type TenantReader } from '../../access/authority/index.ts';
import {
  type AnyResource,
  canCreate,
  isGranted,
  type OperationDeclaration,
  objectInBody,
} from '../../access/contracts/index.ts';
import type { Inputs } from '../../kit/http/operation.ts';
import { accountOf, findStored, keyOfId, type StoredObject } from '../objects/index.ts';
import { namedObjects } from './declared-inputs.ts';

/**
 * Returns the server whose grants permit a mutation; undefined if the request names no existing object. The mutation
 * locks the access on this server, and must compare it with the server of the object that it then reads.
 */
export async function serverOfMutation(
  tenant: TenantReader,
  resource: AnyResource,
  declared: OperationDeclaration,
  { params, body }: Inputs,
): Promise<string | undefined> {
  if (!isGranted(resource)) return accountOf(tenant.appId);
  const isNew = canCreate(declared);
  const [nearest] = namedObjects(resource, declared, params).filter((one) => !isNew || one.resource !== resource);
  if (nearest) return (await findStored(tenant, nearest.resource.kind, nearest.key))?.server_id;
  const { parent, parentField = '' } = resource;
  const id: unknown = parent && objectInBody(declared, body)[parentField];
  return parent && (await findStored(tenant, parent.kind, keyOfId(parent, id)))?.server_id;
}

/** Returns the server of an object that was read. */
export const serverOf = (tenant: Tenant, row: StoredObject | undefined): string =>
  row?.server_id ?? accountOf(tenant.appId);

/** Throws unless the app may use each of the scopes on the server. */
export async function requireScopes(tenant: Tenant, serverId: string, scopes: readonly string[]): Promise<void> {
  for (const scope of scopes) await requireGrant(tenant, serverId, scope as Scope); // a scope of the contract
}
