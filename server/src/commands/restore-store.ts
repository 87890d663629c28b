// The SQL of a restore: an empty database is filled in one transaction, completely or not at all.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectForWork, withConnection } from '../kit/db/db.ts';
import type { DatabaseConfig } from '../kit/db/primary.ts';
import type { DatabaseHead, TableHead } from './backup-format.ts';
import { columnList, TEXT_FORMAT_SETTINGS } from './backup-store.ts';

export interface DatabaseRestore {
  /** Fills a table. Returns the number of its rows. */
  fill(table: TableHead, rows: AsyncIterable<Buffer>): Promise<number>;
  commit(): Promise<void>;
  /** Rolls back unless the filling was committed. */
  close(): Promise<void>;
}

const connection = (url: string): DatabaseConfig => ({ connectionString: url, connectionTimeoutMillis: 5_000 });

/**
 * Returns whether the database contains a person, an organisation or an app. A database with empty tables is accepted.
 */
export function hasContent(url: string): Promise<boolean> {
  return withConnection(connection(url), async (client) => {
    for (const table of ['apps', 'organisations', '"user"']) {
      const lookup = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table]);
      if (lookup.rows[0]?.found && (await client.query(`select from ${table} limit 1`)).rowCount === 1) return true;
    }
    return false;
  });
}

export async function openDatabaseRestore(
  url: string,
  kind: 'plane' | 'console',
  head: DatabaseHead,
): Promise<DatabaseRestore> {
  const client = await connectForWork(connection(url));
  try {
    await client.query(TEXT_FORMAT_SETTINGS);
    await client.query('begin');
    const tables = await listTables(client);
    // Rows are restored unchanged. Triggers would number, date and chain them again, and row-level security would
    // restrict the owner.
    for (const { name } of tables) {
      await client.query(`alter table ${name} disable trigger user, no force row level security`);
    }
    await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    for (const partition of head.partitions) await makePartitions(client, partition);
    return {
      fill: (table, rows) => fill(client, table, rows),
      async commit() {
        for (const { name, is_walled } of tables) {
          const wall = is_walled ? ', force row level security' : '';
          await client.query(`alter table ${name} enable trigger user${wall}`);
        }
        await continueIdentities(client);
        await (kind === 'plane' ? closePlane(client) : closeConsole(client));
        await client.query('commit');
        await client.query('analyze');
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Continues the numbers of identity columns after the restored rows. */
async function continueIdentities(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string; sequence: string }>(
    `select c.oid::regclass::text as name, quote_ident(attname) as column,
       pg_get_serial_sequence(c.oid::regclass::text, attname) as sequence
     from pg_class c join pg_attribute on attrelid = c.oid
     where relnamespace = 'public'::regnamespace and attidentity <> '' order by 1, 2`,
  );
  for (const { name, column, sequence } of rows) {
    await client.query(`select setval($1, coalesce(max(${column}), 0) + 1, false) from ${name}`, [sequence]);
  }
}

/** Invalidates cursors and cached pages from before. The gate closes in the transaction that fills the database. */
async function closePlane(client: pg.Client): Promise<void> {
  await client.query('update plane_state set restore_epoch = gen_random_uuid()');
  const { rowCount } = await client.query(
    "select from pg_attribute where attrelid = 'plane_state'::regclass and attname = 'closed_because'",
  );
  // A backup of a version without a gate: the migration that adds the gate closes it, and removes this table.
  if (rowCount === 0) await client.query('create table public.gate_to_close ()');
  else await client.query("update plane_state set closed_at = clock_timestamp(), closed_because = 'restored'");
}

/**
 * Closes the restore gate of the Console. The Console also reports the status of every organisation to each environment
 * again.
 */
async function closeConsole(client: pg.Client): Promise<void> {
  await client.query('delete from standing_receipts');
  await client.query(
    `insert into facts (name, value) values ('restore_gate', '{"because": "restored"}')
     on conflict (name) do update set value = excluded.value`,
  );
}

async function listTables(client: pg.Client): Promise<{ name: string; is_walled: boolean }[]> {
  const { rows } = await client.query<{ name: string; is_walled: boolean }>(
    `select oid::regclass::text as name, relforcerowsecurity as is_walled from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> 'schema_migrations' order by 1`,
  );
  return rows;
}

/**
 * Creates partitions like tend_partitions. Compacted days are restored in partitions per hour, and a worker compacts
 * them again.
 */
async function makePartitions(client: pg.Client, { parent, lower, upper }: DatabaseHead['partitions'][number]) {
  const width = parent === 'request_records' ? '1 hour' : '1 day';
  const { rows } = await client.query<{ name: string; lower: string; upper: string }>(
    `select $1::text || to_char(at at time zone 'UTC', '_YYYYMMDD_HH24') as name,
       uuid_floor(at)::text as lower, uuid_floor(at + $4::interval)::text as upper
     from generate_series(uuid_moment($2::uuid), uuid_moment($3::uuid) - $4::interval, $4::interval) as at`,
    [parent, lower, upper, width],
  );
  for (const row of rows) {
    const [name, of] = [pg.escapeIdentifier(row.name), pg.escapeIdentifier(parent)];
    const bounds = `from (${pg.escapeLiteral(row.lower)}) to (${pg.escapeLiteral(row.upper)})`;
    const room = parent === 'deliveries' ? 'with (fillfactor = 90)' : '';
    await client.query(
      `create table if not exists public.${name} partition of public.${of} for values ${bounds} ${room}`,
    );
  }
}

async function fill(client: pg.Client, table: TableHead, rows: AsyncIterable<Buffer>): Promise<number> {
  const target = `public.${pg.escapeIdentifier(table.name)}`;
  const stream = client.query(copyFrom(`copy ${target} (${columnList(table)}) from stdin`));
  await pipeline(Readable.from(rows), stream);
  return stream.rowCount;
}
