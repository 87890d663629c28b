// Creates an endpoint with a new signing secret. Secret and headers are sealed and bound to the endpoint's row.

import type { Plane, Tenant } from '../../access/authority/index.ts';
import { type MasterKeys, seal } from '../../kit/crypto/seal.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import { createSigningSecret } from '../../kit/crypto/standard-webhooks.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type CustomHeaders, sealHeaders } from './custom-headers.ts';
import { type EndpointRow, pinVersions, secretBinding } from './endpoint.ts';
import type { EndpointSettings } from './endpoint-change.ts';
import { listSealedSecrets } from './secret-store.ts';
import { openSecrets } from './signing-secret.ts';
import { findEndpointRow, insertEndpoint, type NewEndpointRow } from './store.ts';

type EndpointSpec = Pick<NewEndpointRow, 'endpointId' | 'keyIds' | 'url' | 'description' | 'eventTypes' | 'createdBy'> &
  Partial<Omit<EndpointSettings, 'state' | 'disabledReason'>> & { headers?: CustomHeaders };

/** Creates the endpoint. Returns undefined if the app does not have the first key. */
export async function makeEndpoint(
  tenant: Tenant,
  plane: Pick<Plane, 'secrets'>,
  input: EndpointSpec,
): Promise<{ row: EndpointRow; signingSecret: Secret } | undefined> {
  const { headers = new Map(), ...rest } = input;
  const signingSecret = createSigningSecret();
  const isMade = await insertEndpoint(tenant, {
    receivesAllTypes: false,
    serverIds: null,
    conditions: null,
    ratePerSecond: null,
    isOrdered: false,
    scheduleSpeed: 1,
    ...rest,
    schemaVersions: pinVersions(input.eventTypes, input.schemaVersions),
    sealedSecret: seal(signingSecret, secretBinding(input.endpointId), plane.secrets.masterKeys),
    sealedHeaders: sealHeaders(headers, input.endpointId, plane.secrets.masterKeys),
    headerNames: [...headers.keys()],
  });
  const row = isMade ? await findEndpointRow(tenant, input.endpointId) : undefined;
  return row && { row, signingSecret };
}

/**
 * Returns every signing secret in use by the endpoints with these URLs. The demo receiver in the same process verifies
 * with them.
 */
export async function listSigningSecrets(
  db: Queryable,
  urls: readonly string[],
  masterKeys: MasterKeys,
): Promise<Secret[]> {
  const rows = await listSealedSecrets(db, urls);
  return rows.flatMap((row) => openSecrets(row, masterKeys));
}
