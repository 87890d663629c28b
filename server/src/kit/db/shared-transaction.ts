// One transaction for several who know nothing of each other: what they ask for at once goes out as one statement, and one commit
// ends it. Whoever fails before it wrote fails alone. Whatever else goes wrong takes all of it back, and each tries again by itself.
import { type Database, isConflict, isUnavailable } from './db.ts';
import type { Transaction } from './db-transaction.ts';
import { type Asked, type Each, forRows } from './each-store.ts';
import type { Sql } from './sql.ts';

/** What a member may do. */
export interface Shared {
  /** Members of one app that ask for equal rows share them. */
  each<Item extends object, Row>(statement: Each<Item, Row>, item: Item): Promise<Row[]>;
  /** For what has no answer that anybody needs: with the next one, or with the commit. */
  sendEach<Item extends object>(statement: Each<Item, never>, items: readonly Item[]): void;
  /**
   * Resolves when nobody has anything to ask before they write: all write in one statement, in one order, so that two transactions
   * never wait for each other's rows in a circle.
   */
  allAsked(): Promise<void>;
}

export interface Member<T> {
  appId: string;
  /** May be called once more, in another transaction. */
  work(shared: Shared): Promise<T>;
}

/** Thrown by whoever would have to wait for somebody: others are not kept waiting with them. */
export class Aside extends Error {}

/**
 * Of a member. `aside`: it has to try again in a transaction of its own. `along`: what it did was undone because of another one, who
 * will not be there when it tries again.
 */
export type Outcome<T> = { value: T } | { error: unknown } | 'aside' | 'along';

interface Ask {
  appId: string;
  statement: Each<object, unknown>;
  /** One, where there is somebody who waits for an answer. */
  items: readonly object[];
  resolve?(rows: unknown[]): void;
  reject?(error: unknown): void;
}

/** `first` is what the transaction begins with. Rejects where the database cannot be reached: nobody knows then whether it ended. */
export async function shareTransaction<T>(
  db: Pick<Database, 'transaction'>,
  first: Sql,
  members: readonly Member<T>[],
): Promise<Outcome<T>[]> {
  const atFault = new Set<number>();
  try {
    // Once: after a conflict each member tries again by itself.
    const work = async (tx: Transaction): Promise<Outcome<T>[]> => {
      tx.send(first);
      const rounds = createRounds(tx, members.length);
      const outcomes = await Promise.all(
        members.map((member, index) =>
          settle(member, rounds.of(index, member.appId)).finally(() => rounds.hasAsked(index)),
        ),
      );
      for (const [index, outcome] of outcomes.entries())
        if (!isDone(outcome) && rounds.hasWritten(index)) atFault.add(index);
      if (atFault.size > 0) throw new Aside();
      rounds.end();
      return outcomes;
    };
    return await db.transaction(work, { isOnce: true });
  } catch (error) {
    if (isUnavailable(error) && !isConflict(error)) throw error;
    return members.map((_, index) => (atFault.size === 0 || atFault.has(index) ? 'aside' : 'along'));
  }
}

const isDone = <T>(outcome: Outcome<T>): boolean => typeof outcome === 'object' && 'value' in outcome;

async function settle<T>(member: Member<T>, shared: Shared): Promise<Outcome<T>> {
  try {
    return { value: await member.work(shared) };
  } catch (error) {
    return error instanceof Aside ? 'aside' : { error };
  }
}

function createRounds(tx: Transaction, size: number) {
  let asked: Ask[][] = Array.from({ length: size }, () => []);
  const written = new Set<number>();
  const asking = new Set(asked.keys());
  let everybody = (): void => {};
  const allAsked = new Promise<void>((resolve) => {
    everybody = resolve;
  });
  let isDue = false;

  function take(): Ask[][] {
    const lists = asked;
    asked = lists.map(() => []);
    return inOneOrder(lists);
  }

  function leave(): void {
    isDue = false;
    for (const asks of take()) void run(tx, asks);
  }

  function add(index: number, ask: Ask): void {
    if (ask.statement.writes) written.add(index);
    asked[index]?.push(ask);
  }

  function hasAsked(index: number): void {
    asking.delete(index);
    if (asking.size === 0) everybody();
  }

  return {
    hasAsked,
    of: (index: number, appId: string): Shared => ({
      allAsked() {
        hasAsked(index);
        return allAsked;
      },
      each: <Item extends object, Row>(statement: Each<Item, Row>, item: Item) =>
        new Promise<Row[]>((resolve, reject) => {
          const answer = resolve as (rows: unknown[]) => void; // of this statement, whose rows they are
          add(index, { appId, statement: ofAnything(statement), items: [item], resolve: answer, reject });
          if (isDue) return;
          isDue = true;
          // When everybody who can go on has asked for what comes next.
          setImmediate(leave);
        }),
      sendEach: (statement, items) => add(index, { appId, statement: ofAnything(statement), items }),
    }),
    hasWritten: (index: number) => written.has(index),
    /** What nobody waits for goes with the commit, whose failure is its own. */
    end(): void {
      for (const asks of take()) tx.send(statementFor(asks, gather(asks).rows));
    },
  };
}

// Beside items of its own no statement is handed any.
const ofAnything = <Item extends object, Row>(statement: Each<Item, Row>): Each<object, unknown> =>
  statement as unknown as Each<object, unknown>;

/** The rows of a statement, and for each ask the places of its items among them. */
function gather(asks: readonly Ask[]): { rows: Asked<object>[]; placesOf: number[][] } {
  const rows: Asked<object>[] = [];
  const places = new Map<string, number>();
  function place(appId: string, item: object): number {
    if (!asks[0]?.statement.sharesRows) return rows.push({ appId, item }) - 1;
    const text = appId + JSON.stringify(item);
    const known = places.get(text) ?? rows.push({ appId, item }) - 1;
    places.set(text, known);
    return known;
  }
  const placesOf = asks.map(({ appId, items }) => items.map((item) => place(appId, item)));
  return { rows, placesOf };
}

const statementFor = (asks: readonly Ask[], rows: readonly Asked<object>[]): Sql =>
  forRows((asks[0] as Ask).statement, rows); // no list of asks is empty

async function run(tx: Transaction, asks: readonly Ask[]): Promise<void> {
  try {
    const { rows, placesOf } = gather(asks);
    const answers = rows.map((): unknown[] => []);
    for (const row of await tx.query<{ nth: number }>(statementFor(asks, rows))) answers[row.nth]?.push(row);
    // One that gets an answer has one item.
    for (const [at, ask] of asks.entries()) ask.resolve?.(answers[placesOf[at]?.[0] ?? Number.NaN] ?? []);
  } catch (error) {
    for (const ask of asks) ask.reject?.(error);
  }
}

/** The asks of one statement together, each member's in its own order. */
export function inOneOrder<One extends { statement: unknown }>(lists: readonly (readonly One[])[]): One[][] {
  const order: One[][] = [];
  for (const list of lists) {
    let from = 0;
    for (const one of list) {
      const at = order.findIndex((same, index) => index >= from && same[0]?.statement === one.statement);
      if (at < 0) order.splice(from, 0, [one]);
      else order[at]?.push(one);
      from = (at < 0 ? from : at) + 1;
    }
  }
  return order;
}
