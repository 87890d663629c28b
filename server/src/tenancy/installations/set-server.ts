// Sets the grants of a server as a whole: its installation and every scope in it, as an authoritative source states
// them.
import { type GrantState, SCOPES, type Scope, type TenantWork } from '../../access/authority/index.ts';
import { applyGrantChangesToDeliveries } from './apply-grant-changes.ts';
import { updateInstallations, updateScopes } from './bulk-store.ts';
import { type InstallationRow, planGrant } from './installation.ts';
import type { ServerGrants } from './restriction.ts';
import { findInstallationRow, insertInstallations, insertScopes } from './store.ts';

/** Applies the stated grants. The caller must hold the lock of the server, and emits the events of the change. */
export async function setServer(
  context: TenantWork,
  row: InstallationRow,
  { state, scopes }: ServerGrants,
): Promise<InstallationRow> {
  const { tenant } = context;
  const installation = [{ serverId: row.server_id, scope: null }];
  const isThere = row.state !== null && row.state !== 'revoked';
  if (!isThere && state === 'revoked') return row;
  const wanted = new Map(scopes.map((grant) => [grant.scope, grant.state]));
  const granted = SCOPES.filter((scope) => (wanted.get(scope) ?? 'revoked') !== 'revoked');
  if (!isThere) {
    await Promise.all([
      insertInstallations(tenant, [row.server_id], granted),
      applyGrantChangesToDeliveries(context, installation, 'authorised'),
    ]);
  }
  const held = isThere ? row : ((await findInstallationRow(tenant, row.server_id)) ?? row);
  if (state !== 'revoked')
    for (const scope of SCOPES) await setScope(context, held, scope, wanted.get(scope) ?? 'revoked');
  const isOther = isThere ? row.state !== state : state === 'paused';
  if (isOther && held.installation_id) await updateInstallations(tenant, [held.installation_id], state);
  if (isOther && isThere) await applyGrantChangesToDeliveries(context, installation, state);
  return (await findInstallationRow(tenant, row.server_id)) ?? held;
}

async function setScope(context: TenantWork, row: InstallationRow, scope: Scope, state: GrantState): Promise<void> {
  const { tenant } = context;
  const current = row.scopes.find((grant) => grant.scope === scope)?.state;
  const plan = current === undefined && state === 'revoked' ? 'keep' : planGrant(current, state);
  if (plan === 'keep' || row.installation_id === null) return;
  const grant = { installationId: row.installation_id, scope };
  const isNew = current === undefined || current === 'revoked';
  if (isNew) await insertScopes(tenant, [grant]);
  if (!isNew || state !== 'authorised') await updateScopes(tenant, [grant], state);
  await applyGrantChangesToDeliveries(context, [{ serverId: row.server_id, scope }], state);
}
