// Reads the server that each key of the benchmark may read.
import { toId } from '../server/src/kit/crypto/ids.ts';
import { withConnection } from '../server/src/kit/db/db.ts';

/** Returns the id of the server (`srv_…`) by the public half of the key. */
export async function listServers(superuserUrl: string): Promise<Map<string, string>> {
  const { rows } = await withConnection({ connectionString: superuserUrl }, (client) =>
    client.query<{ kid: string; server_id: string }>(
      'select kid, (select server_id from servers s where s.app_id = k.app_id limit 1) from keys k',
    ),
  );
  return new Map(rows.map((row) => [row.kid, toId('srv', row.server_id)]));
}
