// One transaction for several parts, each the work of one call. Equal statements that parts request at the same time
// are sent as one, and one commit ends the transaction. A part that fails before it wrote fails alone. Any other
// failure undoes all parts, and each is tried again alone.
import { type Database, isConflict, isUnavailable } from './db.ts';
import type { Transaction } from './db-transaction.ts';
import { bindItems, type ItemRow, type ItemStatement } from './item-statement-store.ts';
import type { Sql } from './sql.ts';

/** The operations that a part may use. */
export interface SharedTransaction {
  /** Runs the statement for an item and returns its rows. Parts of one app that ask for equal rows share them. */
  each<Item extends object, Row>(statement: ItemStatement<Item, Row>, item: Item): Promise<Row[]>;
  /** Sends the statement without waiting for a result: with the next message, or with the commit. */
  sendEach<Item extends object>(statement: ItemStatement<Item, unknown>, items: readonly Item[]): void;
}

export interface FinishableTransaction extends SharedTransaction {
  /** Sends the statement like `sendEach` and returns the rows of the items. They may come with the commit only. */
  sendForRows<Item extends object, Row>(statement: ItemStatement<Item, Row>, items: readonly Item[]): Promise<Row[]>;
  /**
   * Asks for the last rows of a part: the statement goes with the commit, and the rows come after it. `sendEach` may
   * follow in the same turn. A part that throws afterwards is committed nevertheless, so every check comes before it.
   */
  finish<Item extends object, Row>(statement: ItemStatement<Item, Row>, item: Item): Promise<Row[]>;
}

/** The work of one call in a shared transaction. */
export interface TransactionPart<T> {
  appId: string;
  /** Does the work of the part. May be called again, in another transaction. */
  work(shared: FinishableTransaction): Promise<T>;
}

/** Thrown by a part that would have to wait for another transaction. The other parts do not wait with it. */
export class WouldBlockError extends Error {}

/** The outcome of a part. 'again': its work was undone, and must be tried alone in a transaction. */
export type PartOutcome<T> = { value: T } | { error: unknown } | 'again';

interface StatementRequest {
  appId: string;
  statement: ItemStatement<object, unknown>;
  items: readonly object[];
  resolve?(rows: unknown[]): void;
  reject?(error: unknown): void;
}

/**
 * Runs the parts in one transaction that begins with `first`. Rejects if the database cannot be reached; the commit
 * is then uncertain.
 */
export async function runSharedTransaction<T>(
  db: Pick<Database, 'transaction'>,
  first: Sql,
  parts: readonly TransactionPart<T>[],
): Promise<PartOutcome<T>[]> {
  try {
    // Only once: after a conflict each part tries again alone.
    const { outcomes } = await db.transaction((tx) => runParts(tx, first, parts), { isOnce: true });
    return await Promise.all(outcomes);
  } catch (error) {
    if (isUnavailable(error) && !isConflict(error)) throw error;
    return parts.map(() => 'again');
  }
}

/** Runs a part alone in a transaction, and again after a conflict. Rejects with the error of the part. */
export async function runPartAlone<T>(
  db: Pick<Database, 'transaction'>,
  first: Sql,
  part: TransactionPart<T>,
): Promise<T> {
  const { outcomes } = await db
    .transaction((tx) => runParts(tx, first, [part]))
    .catch((error: unknown) => {
      throw error instanceof RolledBackError ? error.cause : error;
    });
  const outcome = await outcomes[0];
  if (outcome === undefined || outcome === 'again')
    throw new Error('A part that is alone in its transaction waits for nothing.');
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** A part failed after it had written. */
class RolledBackError extends Error {}

/**
 * Resolves when each part has ended or has asked for its last rows. The outcome of a part that has asked for its
 * last rows is known after the commit.
 */
async function runParts<T>(
  tx: Transaction,
  first: Sql,
  parts: readonly TransactionPart<T>[],
): Promise<{ outcomes: Promise<PartOutcome<T>>[] }> {
  tx.send(first);
  const rounds = createRounds(tx, parts.length);
  const outcomes = parts.map(({ appId, work }, index) => toOutcome(work(rounds.of(index, appId))));
  await Promise.all(
    outcomes.map(async (outcome, index) => {
      const outcomeIfEnded = await Promise.race([outcome, rounds.finishing[index]]);
      const isDone = outcomeIfEnded === undefined || (outcomeIfEnded !== 'again' && 'value' in outcomeIfEnded);
      if (isDone || !rounds.hasWritten(index)) return;
      throw new RolledBackError('A part failed after it had written.', {
        cause: outcomeIfEnded === 'again' ? undefined : outcomeIfEnded.error,
      });
    }),
  );
  rounds.end();
  return { outcomes };
}

async function toOutcome<T>(work: Promise<T>): Promise<PartOutcome<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return error instanceof WouldBlockError ? 'again' : { error };
  }
}

function createRounds(tx: Transaction, size: number) {
  let requested: StatementRequest[][] = Array.from({ length: size }, () => []);
  const written = new Set<number>();
  const finished = new Set<number>();
  const finishers = requested.map(() => {
    let resolveFinishing = (): void => {};
    const finishing = new Promise<undefined>((resolve) => {
      resolveFinishing = () => resolve(undefined);
    });
    return { finishing, resolveFinishing };
  });
  let isDue = false;

  /** Sends the pending requests. Those of parts that have asked for their last rows wait for the commit. */
  function sendRequests(): void {
    isDue = false;
    const lists = requested;
    requested = lists.map((list, index) => (finished.has(index) ? list : []));
    const going = lists.filter((_, index) => !finished.has(index));
    for (const requests of groupByStatement(going)) void runRequests(requests, tx.query);
  }

  function add(index: number, request: StatementRequest): void {
    if (request.statement.writes) written.add(index);
    requested[index]?.push(request);
  }

  const requestRows = <Item extends object, Row>(
    [index, appId]: readonly [number, string],
    statement: ItemStatement<Item, Row>,
    items: readonly Item[],
  ): Promise<Row[]> =>
    new Promise<Row[]>((resolve, reject) => {
      const resolveRows = resolve as (rows: unknown[]) => void; // the rows are those of this statement
      add(index, { appId, statement: eraseItemTypes(statement), items, resolve: resolveRows, reject });
    });

  return {
    of: (index: number, appId: string): FinishableTransaction => ({
      each(statement, item) {
        const rows = requestRows([index, appId], statement, [item]);
        if (isDue) return rows;
        isDue = true;
        // Runs after every part that can continue has asked for its next statement.
        setImmediate(sendRequests);
        return rows;
      },
      sendEach: (statement, items) => add(index, { appId, statement: eraseItemTypes(statement), items }),
      sendForRows: (statement, items) => requestRows([index, appId], statement, items),
      finish(statement, item) {
        const rows = requestRows([index, appId], statement, [item]);
        finished.add(index);
        finishers[index]?.resolveFinishing();
        return rows;
      },
    }),
    finishing: finishers.map(({ finishing }) => finishing),
    hasWritten: (index: number) => written.has(index),
    /** Sends the remaining requests with the commit. */
    end(): void {
      for (const requests of groupByStatement(requested)) void runRequests(requests, tx.withCommit);
    },
  };
}

// A statement only ever gets its own items.
const eraseItemTypes = <Item extends object, Row>(
  statement: ItemStatement<Item, Row>,
): ItemStatement<object, unknown> => statement as unknown as ItemStatement<object, unknown>;

/** Returns the rows of a statement, and for each request the places of its items among them. */
function collectItems(requests: readonly StatementRequest[]): { rows: ItemRow<object>[]; placesOf: number[][] } {
  const rows: ItemRow<object>[] = [];
  const places = new Map<string, number>();
  function place(appId: string, item: object): number {
    if (!requests[0]?.statement.sharesRows) return rows.push({ appId, item }) - 1;
    const text = appId + JSON.stringify(item);
    const known = places.get(text) ?? rows.push({ appId, item }) - 1;
    places.set(text, known);
    return known;
  }
  const placesOf = requests.map(({ appId, items }) => items.map((item) => place(appId, item)));
  return { rows, placesOf };
}

/** Runs one statement for all requests, and gives each request its rows. */
async function runRequests(
  requests: readonly StatementRequest[],
  query: <Row>(statement: Sql) => Promise<Row[]>,
): Promise<void> {
  try {
    const { rows, placesOf } = collectItems(requests);
    const answers = rows.map((): unknown[] => []);
    const { statement } = requests[0] as StatementRequest; // no list of requests is empty
    for (const row of await query<{ nth: number }>(bindItems(statement, rows))) answers[row.nth]?.push(row);
    for (const [at, request] of requests.entries())
      request.resolve?.((placesOf[at] ?? []).flatMap((place) => answers[place] ?? []));
  } catch (error) {
    for (const request of requests) request.reject?.(error);
  }
}

/** Groups requests by statement, and keeps the order of each part's own requests. */
export function groupByStatement<One extends { statement: unknown }>(lists: readonly (readonly One[])[]): One[][] {
  const groups: One[][] = [];
  for (const list of lists) {
    let from = 0;
    for (const one of list) {
      const at = groups.findIndex((same, index) => index >= from && same[0]?.statement === one.statement);
      if (at < 0) groups.splice(from, 0, [one]);
      else groups[at]?.push(one);
      from = (at < 0 ? from : at) + 1;
    }
  }
  return groups;
}
