// Writes the grants of a server directly, without the code that would reach the state step by step.

import type { Sandbox } from '../../../test/app.ts';
import { type GrantState, SCOPES } from '../../access/authority/index.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';

/** A null state means that the installation, or the grant of the scope, does not exist. */
export type StoredGrantState = GrantState | null;

/** Replaces the grant on the server with the requested state. */
export async function makeGrant(
  sandbox: Sandbox,
  on: { appId: string; serverId: string | undefined },
  installation: StoredGrantState,
  scopes: readonly StoredGrantState[],
): Promise<void> {
  const { superuser } = sandbox.database;
  const ids = [fromId('app', on.appId), fromId('srv', on.serverId ?? '')];
  await superuser.query('begin');
  await superuser.query(
    `delete from installation_scopes g using installations i
     where g.installation_id = i.installation_id and i.app_id = $1 and i.server_id = $2`,
    ids,
  );
  await superuser.query('delete from installations where app_id = $1 and server_id = $2', ids);
  if (installation !== null) {
    const id = newUuid();
    await superuser.query(
      'insert into installations (app_id, server_id, installation_id, state) values ($1, $2, $3, $4)',
      [...ids, id, installation],
    );
    // The latest grant by identifier applies, so this grant must be older than later ones.
    await superuser.query(
      `insert into installation_scopes (app_id, installation_id, grant_id, scope, state)
       select $1, $2, new_change_id(), scope, state from unnest($3::text[], $4::text[]) g (scope, state)
       where state is not null`,
      [ids[0], id, SCOPES, scopes],
    );
  }
  await superuser.query('commit');
}
