// Makes an endpoint: draws its signing secret and stores it sealed, bound to the endpoint's own row.
import type { Queryable } from '../../kit/db.ts';
import { type MasterKeys, seal } from '../../kit/seal.ts';
import type { Secret } from '../../kit/secret.ts';
import { createSigningSecret } from '../../kit/standard-webhooks.ts';
import type { Plane, Tenant } from '../authority/index.ts';
import { type EndpointRow, pinVersions, secretBinding } from './endpoint.ts';
import { listSealedSecrets } from './secret-store.ts';
import { openSecrets } from './signing-secret.ts';
import { findEndpointRow, insertEndpoint, type NewEndpointRow } from './store.ts';

/** Undefined when the app has no such key. */
export async function makeEndpoint(
  tenant: Tenant,
  plane: Plane,
  wish: Omit<NewEndpointRow, 'sealedSecret' | 'schemaVersions'> & { schemaVersions?: Readonly<Record<string, number>> },
): Promise<{ row: EndpointRow; signingSecret: Secret } | undefined> {
  const signingSecret = createSigningSecret();
  const sealedSecret = seal(signingSecret, secretBinding(wish.endpointId), plane.masterKeys);
  if (
    !(await insertEndpoint(tenant, {
      ...wish,
      schemaVersions: pinVersions(wish.eventTypes, wish.schemaVersions),
      sealedSecret,
    }))
  )
    return undefined;
  const row = await findEndpointRow(tenant, wish.endpointId);
  return row && { row, signingSecret };
}

/** The signing secrets of the endpoints with this URL, those in an overlap too: what the demo's receiver, which runs beside us, verifies with. */
export async function listSigningSecrets(db: Queryable, url: string, masterKeys: MasterKeys): Promise<Secret[]> {
  const rows = await listSealedSecrets(db, url);
  return rows.flatMap((row) => openSecrets(row, masterKeys));
}
