// Fills tables with millions of rows: drops their constraints and indexes first, and creates them again afterwards.
import type pg from 'pg';

interface Definition {
  drop: string;
  make: string;
}

/** Returns the definitions of the tables and of those that refer to them, in the order in which they can be dropped. */
async function definitionsOf(client: pg.Client, tables: readonly string[]): Promise<Definition[]> {
  // Postgres names an index of a partitioned table as one of the parent only. Created like that, its partitions would
  // have none.
  const { rows } = await client.query<Definition>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make,
       array_position('{f,u,p}', contype) as place
     from pg_constraint
     where conparentid = 0 and contype in ('f', 'u', 'p') and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))
     union all
     select format('drop index %s', indexrelid::regclass),
       replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON '), 4
     from pg_index
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)
     order by place`,
    [tables],
  );
  return rows;
}

/** Runs `fill` without indexes, inside the client's transaction. */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  await client.query("set local maintenance_work_mem = '512MB'");
  const definitions = await definitionsOf(client, tables);
  for (const { drop } of definitions) await client.query(drop);
  await fill();
  for (const { make } of definitions.reverse()) await client.query(make);
}
