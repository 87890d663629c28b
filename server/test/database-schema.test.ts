// The snapshots in server/schema show the current schema in one file each. `npm run schema` writes them.
import { describe, expect, test } from 'vitest';
import { describeSchema } from './describe-schema.ts';
import { cloneDatabase, type TestDatabase } from './harness.ts';

const PLANE = `-- Partitions are left out, because functions and housekeeping make them. server/test/database-grants.txt has the grants of each role.
`;
const KINDS = [
  { kind: 'plane', whose: "an environment's database (sandbox or production)", notes: PLANE },
  { kind: 'console', whose: "the Console's database", notes: '' },
] as const;

const headerOf = ({
  kind,
  whose,
  notes,
}: (typeof KINDS)[number]): string => `-- The schema of ${whose} after all migrations. Do not edit:
-- \`npm run schema\` writes this file, and server/test/database-schema.test.ts compares it with a migrated database. It is for readers.
-- Databases are made by server/migrations/${kind}. Above each object are the migrations that define or change it, with their comments.
${notes}`;

async function withClone<T>(kind: 'plane' | 'console', run: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await cloneDatabase(kind);
  try {
    return await run(database);
  } finally {
    await database.drop();
  }
}

describe.each(KINDS)('$kind', (described) => {
  const { kind } = described;
  const folder = new URL(`../migrations/${kind}`, import.meta.url).pathname;

  test(`server/schema/${kind}.sql equals the schema of a migrated database`, async () => {
    const schema = await withClone(kind, ({ superuser }) => describeSchema(superuser, folder));
    const text = `${headerOf(described)}\n${schema}\n`;
    await expect(
      text,
      `server/schema/${kind}.sql is out of date. Run "npm run schema" and commit the file.`,
    ).toMatchFileSnapshot(`../schema/${kind}.sql`);
  });

  test('the description fails for an object of a kind that it does not contain', async () => {
    const schema = withClone(kind, async ({ superuser }) => {
      await superuser.query('create view forgotten as select 1 as one');
      return describeSchema(superuser, folder);
    });
    await expect(schema).rejects.toThrow(
      'server/test/describe-schema.ts must describe: relation forgotten, rule _RETURN.',
    );
  });
});
