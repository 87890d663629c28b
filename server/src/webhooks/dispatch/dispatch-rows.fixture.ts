// Database rows for the tests of the dispatcher: an app that is installed on one server.
import type { testPlane } from '../../../test/harness.ts';
import { newUuid } from '../../kit/crypto/ids.ts';

type PlaneOfTest = Awaited<ReturnType<typeof testPlane>>;

export async function insertWorld(
  { database }: PlaneOfTest,
  { organisationId, appId, serverId }: Record<'organisationId' | 'appId' | 'serverId', string>,
): Promise<void> {
  const { superuser } = database;
  const installationId = newUuid();
  await superuser.query(
    `insert into apps (app_id, organisation_id, name, created_by) values ($1, $2, 'App', 'a test')`,
    [appId, organisationId],
  );
  await superuser.query(
    `insert into servers (app_id, server_id, name, slug, description, icon_url, locale, timezone, member_count, created_at)
     values ($1, $2, 'Server', 'server', '', '', 'en', 'UTC', 1, now())`,
    [appId, serverId],
  );
  await superuser.query(`insert into installations (app_id, installation_id, server_id) values ($1, $2, $3)`, [
    appId,
    installationId,
    serverId,
  ]);
  for (const scope of ['events:read', 'tickets:create'])
    await superuser.query(
      'insert into installation_scopes (app_id, grant_id, installation_id, scope) values ($1, $2, $3, $4)',
      [appId, newUuid(), installationId, scope],
    );
}
