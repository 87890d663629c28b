// Returns the content of all tables as text, as a copy of the database would reveal it.
import type pg from 'pg';

export async function contentsOf(superuser: pg.Client): Promise<string> {
  const { rows } = await superuser.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const contents = [];
  for (const { name } of rows) {
    const all = await superuser.query<{ text: string }>(`select '${name}: ' || t::text as text from ${name} t`);
    contents.push(...all.rows.map(({ text }) => text));
  }
  return contents.join('\n');
}
