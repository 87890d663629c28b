// The SQL of a backup: everything is read in one snapshot per database, while the server continues.
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { connectForWork } from '../kit/db/db.ts';
import { readApplied } from '../kit/db/migrate.ts';
import type { DatabaseHead, TableHead } from './backup-format.ts';

export interface Snapshot extends DatabaseHead {
  /** In an order in which each table follows those that it references. */
  tables: TableHead[];
  /** Yields the rows of a table as COPY returns them; returns their number. */
  read(table: TableHead): AsyncGenerator<Buffer, number>;
  close(): Promise<void>;
}

/** Tables about running processes, which are useless elsewhere, and captures, which no copy may contain. */
const EXCLUDED_TABLES = [
  'schema_migrations',
  'workers',
  'stops',
  'capture_keys',
  'captures',
  'capture_contents',
  'capture_gaps',
];
/** Makes both sides write and read values in the same format, whatever the database's settings are. */
export const TEXT_FORMAT_SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601';
  set client_encoding = 'UTF8'; set statement_timeout = 0; set lock_timeout = 0`;

interface TableRow {
  name: string;
  columns: string[];
  refers: string[];
  is_hidden: boolean;
}

export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = await connectForWork({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  try {
    await client.query(TEXT_FORMAT_SETTINGS);
    // Prevents partitions from being created, dropped or compacted (tend_partitions, seal_request_records). Such a
    // statement would wait for the backup's lock on the table and block others behind it. Taken before the snapshot,
    // which must be newer.
    await client.query('select pg_advisory_lock(75470002), pg_advisory_lock(75470003)');
    await client.query('begin isolation level repeatable read read only');
    const rows = await listTables(client);
    const hidden = rows.filter((row) => row.is_hidden).map(({ name }) => name);
    if (hidden.length > 0) throw new Error(`No row-level security policy lets a backup read ${hidden.join(', ')}.`);
    const migrations = await readApplied(client);
    const partitions = rows.length > 0 ? await listPartitions(client) : [];
    return {
      migrations,
      partitions,
      tables: sortByReferences(rows),
      read: (table) => readTable(client, table),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

// Transaction ids are left out, because they are valid in one cluster only: later events would come before restored
// ones, or never. Restored rows get the transaction id of the restore, and keep the order of their ids.
async function listTables(client: pg.Client): Promise<TableRow[]> {
  const { rows } = await client.query<TableRow>(
    `select c.relname::text as name,
       array(select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' and atttypid <> 'xid8'::regtype
         order by attnum) as columns,
       array(select f.relname::text from pg_constraint join pg_class f on f.oid = confrelid
         where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as refers,
       c.relforcerowsecurity and not exists (
         select from pg_policy where polrelid = c.oid and polname = 'whole') as is_hidden
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all($1) order by c.relname`,
    [EXCLUDED_TABLES],
  );
  return rows;
}

function sortByReferences(rows: readonly TableRow[]): TableHead[] {
  const ordered: TableRow[] = [];
  const place = (row: TableRow, above: readonly TableRow[]): void => {
    if (ordered.includes(row)) return;
    if (above.includes(row)) throw new Error(`Foreign keys of tables form a cycle: ${row.name}.`);
    for (const other of rows) if (row.refers.includes(other.name)) place(other, [...above, row]);
    ordered.push(row);
  };
  for (const row of rows) place(row, []);
  return ordered.map(({ name, columns }) => ({ name, columns }));
}

async function listPartitions(client: pg.Client): Promise<DatabaseHead['partitions']> {
  const { rows } = await client.query<{ parent: string; lower: string; upper: string }>(
    `select p.relname::text as parent, bounds[1] as lower, bounds[2] as upper
     from pg_class p join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
       cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$FROM \\('([0-9a-f-]+)'\\) TO \\('([0-9a-f-]+)'\\)$re$) bounds
     where p.relkind = 'p' and p.relnamespace = 'public'::regnamespace and bounds is not null order by 1, 2`,
  );
  return rows;
}

export const columnList = ({ columns }: TableHead): string =>
  columns.map((name) => pg.escapeIdentifier(name)).join(', ');

async function* readTable(client: pg.Client, table: TableHead): AsyncGenerator<Buffer, number> {
  const columns = columnList(table);
  const stream = client.query(
    copyTo(`copy (select ${columns} from public.${pg.escapeIdentifier(table.name)}) to stdout`),
  );
  for await (const chunk of stream) yield chunk as Buffer; // COPY sends buffers
  return stream.rowCount;
}
