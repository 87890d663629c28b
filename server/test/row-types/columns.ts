// Describes the result of a statement as Postgres sees it: names, kinds of values and nullability, without running the
// statement.
import pg from 'pg';
import type { Text } from './compose.ts';
import { type Catalogue, nullabilityOf, readCatalogue } from './nullability.ts';

export interface Column {
  name: string;
  kind: string;
  isNullable: boolean;
}

interface DescribedColumn {
  parameters: number[];
  fields: { name: string; dataTypeID: number }[];
}

// The connection of the driver, as pg-cursor and pg-query-stream use it.
interface Connection {
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
  removeAllListeners(event: string): void;
  once(event: string, take: (message: never) => void): void;
}

/** Parses a statement and describes it: the messages Parse, Describe and Sync of the protocol. */
function describe(client: pg.ClientBase, text: string): Promise<DescribedColumn> {
  return new Promise((resolve, reject) => {
    const described: DescribedColumn = { parameters: [], fields: [] };
    client.query({
      submit(connection: Connection) {
        connection.removeAllListeners('parameterDescription'); // of a statement that failed
        connection.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
          described.parameters = dataTypeIDs;
        });
        connection.parse({ name: '', text, types: [] });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
      },
      handleRowDescription: ({ fields }: { fields: DescribedColumn['fields'] }) => {
        described.fields = fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(described),
    } as unknown as pg.Submittable); // the methods that the client calls
  });
}

const INT8 = 'int8';
/** A text of each kind of type; an array holds one of its elements. */
const SAMPLES: Record<string, string> = {
  B: 't',
  N: '1',
  D: '2026-01-01 00:00:00+00',
  json: '{}',
  jsonb: '{}',
  bytea: '\\x00',
};

interface TypeRow {
  oid: number;
  typname: string;
  typcategory: string;
  typelem: number;
}

/** Names the kind of value that the driver makes of a type. JSON can be any of them. */
export class Kinds {
  readonly #types: Map<number, TypeRow>;

  constructor(types: readonly TypeRow[]) {
    this.#types = new Map(types.map((type) => [type.oid, type]));
  }

  static async read(client: pg.ClientBase): Promise<Kinds> {
    const { rows } = await client.query<TypeRow>('select oid, typname, typcategory::text, typelem from pg_type');
    return new Kinds(rows);
  }

  of(oid: number): string {
    const type = this.#types.get(oid);
    if (type?.typname.startsWith('json')) return 'json';
    if (type?.typname === INT8) return 'number'; // kit/db/db.ts
    return kindOfValue(pg.types.getTypeParser(oid, 'text')(this.#sampleOf(type)));
  }

  nameOf(oid: number): string {
    return this.#types.get(oid)?.typname ?? String(oid);
  }

  #sampleOf(type: TypeRow | undefined): string {
    if (type?.typcategory === 'A') return `{${this.#sampleOf(this.#types.get(type.typelem))}}`;
    return SAMPLES[type?.typname ?? ''] ?? SAMPLES[type?.typcategory ?? ''] ?? 'x';
  }
}

function kindOfValue(value: unknown): string {
  if (Array.isArray(value)) return `${kindOfValue(value[0])}[]`;
  if (value instanceof Date) return 'Date';
  return Buffer.isBuffer(value) ? 'Buffer' : typeof value;
}

export interface Reader {
  client: pg.ClientBase;
  kinds: Kinds;
  catalogue: Catalogue;
}

export const readerOn = async (client: pg.ClientBase): Promise<Reader> => ({
  client,
  kinds: await Kinds.read(client),
  catalogue: await readCatalogue(client),
});

export async function columnsOf(
  { client, kinds, catalogue }: Reader,
  { sql, parameters: given }: Text,
): Promise<Column[]> {
  const { parameters, fields } = await describe(client, sql);
  if (fields.length === 0) return [];
  const types = parameters.map((oid) => pg.escapeIdentifier(kinds.nameOf(oid)));
  const nullable = await nullabilityOf(client, catalogue, sql, { types, given });
  return fields.map(({ name, dataTypeID }, index) => ({
    name,
    kind: kinds.of(dataTypeID),
    isNullable: nullable[index] ?? true,
  }));
}
