// A running service in the view of the fuzz test: its operations, its contract, its caller, and changes of its
// database.
import type pg from 'pg';
import type { AnyOperation } from '../../src/kit/http/operation.ts';
import type { Listener } from '../contract-check.ts';
import { type CollectedIds, collectIds } from './collected-ids.ts';
import { createOracle, type OpenapiDocument, type Oracle } from './contract-oracle.ts';
import type { FuzzedOperation } from './requests.ts';
import { send, toCurl, type WireRequest, type WireResponse } from './wire.ts';

export interface Surface {
  name: string;
  listener: Listener;
  url: string;
  operations: readonly FuzzedOperation[];
  oracle: Oracle;
  harvest: CollectedIds;
  beyondSchema: ReadonlySet<string>;
  /** Returns the request with the caller's credentials. */
  complete(request: WireRequest): Promise<WireRequest>;
  /** Returns a text of the database's state that changes with every write. */
  written(): Promise<string>;
  /** Learns the identifiers of current objects that responses do not lead to. */
  refresh(): Promise<void>;
  /** Signs in again if this response has ended the session. Returns true if it did. */
  restore(response: WireResponse): Promise<boolean>;
}

/** Returns the operations with the paths of the document. */
export function fuzzed<S>(operations: readonly AnyOperation<S>[], prefix: string): FuzzedOperation[] {
  // The types of its services do not matter, because it is called over HTTP.
  return operations.map(
    (operation) => ({ ...operation, documentPath: prefix + operation.path }) as unknown as FuzzedOperation,
  );
}

export interface SurfaceOptions {
  name: string;
  listener: Listener;
  url: string;
  operations: readonly FuzzedOperation[];
  document: unknown;
  credentials(): Promise<readonly (readonly [string, string])[]>;
  databases: readonly pg.Client[];
  /** Pointers of fields whose rules no schema of this contract expresses. */
  beyondSchema?: ReadonlySet<string>;
  /** Returns the values that parameters and fields of each name should have. */
  namedValues?(): Promise<ReadonlyMap<string, readonly unknown[]>>;
  restore?(response: WireResponse): Promise<boolean>;
}

export function createSurface(options: SurfaceOptions): Surface {
  const harvest = collectIds();
  return {
    name: options.name,
    listener: options.listener,
    url: options.url,
    operations: options.operations,
    oracle: createOracle(options.document as OpenapiDocument), // built by openapiDocument
    harvest,
    beyondSchema: options.beyondSchema ?? new Set(),
    async complete(request) {
      // A header that the request has already is not added.
      const isSaid = (name: string): boolean =>
        request.headers.some((header) => header[0].toLowerCase() === name.toLowerCase());
      const own = [['Host', 'fuzz.test'] as const, ...(await options.credentials())].filter(([name]) => !isSaid(name));
      return { ...request, headers: [...own, ...request.headers] };
    },
    async written() {
      const states = await Promise.all(options.databases.map(stateOf));
      return states.join('\n');
    },
    async refresh() {
      for (const [name, values] of (await options.namedValues?.()) ?? []) harvest.put(name, values);
    },
    restore: options.restore ?? (async () => false),
  };
}

// Tables that a refused request may write: its record, uses of deprecations, keys and scopes, shares of rates, and
// attempts with a password or a code.
const ALWAYS_WRITABLE_TABLES = [
  'request_records',
  'unproved_requests',
  'unproved_counts',
  'record_gaps',
  'capture_keys',
  'captures',
  'capture_contents',
  'capture_gaps',
  'deprecated_uses',
  'key_uses',
  'rate_buckets',
  'rateLimit',
  'user_code_tries',
  'password_tries',
  'key_scope_uses',
  'grant_uses',
];

// Tables of which a refused request may write a part: the count of wrong codes, the mails that warn of wrong attempts,
// the challenges of passkeys, and the notices of a key in a browser, which are written seconds later.
const PARTLY_COMPARED_TABLES: Readonly<Record<string, string>> = {
  twoFactor: `select hashtext((to_jsonb(one) - '{failedVerificationCount,lockedUntil}'::text[])::text) as hash from "twoFactor" one`,
  // A refused signature uses up its challenge.
  passkey_challenges: `select 0 as hash from passkey_challenges where false`,
  notices: `select hashtext(ctid::text || xmin::text) as hash from notices where kind <> 'key_in_browser'`,
  outbox: `select hashtext(ctid::text || xmin::text) as hash from outbox
    where subject not in ('Wrong codes of your second factor', 'Wrong passwords for your account')`,
};

interface Watch {
  /** Reads the state. */
  statement: string;
  /** The latest state, and the number of writing statements at that time. */
  state: string;
  writes: string;
}
const watches = new WeakMap<pg.Client, Watch>();

/** Counts every writing statement by a sequence, which a rollback does not undo. Most requests write nothing at all. */
async function watch(client: pg.Client): Promise<Watch> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace and relname <> all ($1) order by 1`,
    [ALWAYS_WRITABLE_TABLES],
  );
  await client.query(`create schema fuzz; create sequence fuzz.writes;
    create function fuzz.count_write() returns trigger language plpgsql security definer as
      $$ begin perform nextval('fuzz.writes'); return null; end $$`);
  for (const { name } of rows) {
    await client.query(`create trigger zz_fuzz after insert or update or delete on "${name}"
      for each statement execute function fuzz.count_write()`);
  }
  const statement = rows
    .map(({ name }) => {
      const hashes = PARTLY_COMPARED_TABLES[name] ?? `select hashtext(ctid::text || xmin::text) as hash from "${name}"`;
      return `select '${name}' as name, count(*) as rows, sum(hash) as hash from (${hashes}) compared`;
    })
    .join(' union all ')
    .concat(' order by name'); // a parallel plan returns them in any order
  return { statement, state: '', writes: '' };
}

/**
 * Returns `table rows hash` for each table. The hash covers the transactions that wrote the rows, and their positions.
 */
async function stateOf(client: pg.Client): Promise<string> {
  const watched = watches.get(client) ?? (await watch(client));
  watches.set(client, watched);
  const { rows: counts } = await client.query<{ count: string }>(
    `select last_value || ' ' || is_called as count from fuzz.writes`,
  );
  const writes = counts[0]?.count ?? '';
  if (writes === watched.writes) return watched.state;
  const { rows } = await client.query<{ name: string; rows: string; hash: string }>(watched.statement);
  const state = rows.map(({ name, rows: count, hash }) => `${name} ${count} ${hash}`).join('\n');
  Object.assign(watched, { writes, state });
  return state;
}

/** Sends the request. The laws judge the response elsewhere. */
export async function ask(surface: Surface, operationId: string, request: WireRequest): Promise<WireResponse> {
  const response = await send(surface.url, request).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : error}\n${toCurl(surface.url, request)}`);
  });
  if (response.status < 300 && isJson(response)) surface.harvest.add(operationId, JSON.parse(response.body));
  return response;
}

const isJson = ({ headers, body }: WireResponse): boolean =>
  body !== '' && /[/+]json\b/.test(headers.get('content-type')?.[0] ?? '');
