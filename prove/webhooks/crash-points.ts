// Points at which a process may die: at each durable step from a mutation to the record of the attempt, before and
// after it. The wrappers surround the parts that a plane and a dispatcher receive, and the service does not know them.
import { createMutations, type Plane } from '../../server/src/access/authority/index.ts';
import type { Database, Transaction } from '../../server/src/kit/db/db.ts';
import type { Sql } from '../../server/src/kit/db/sql.ts';
import type { OutboundClient } from '../../server/src/kit/outbound/outbound.ts';

export const API_POINTS = [
  'mutation made, not committed',
  'mutation committed, not answered',
  'before the wake-up notification',
] as const;
const ATTEMPT_POINTS = [
  'connected, nothing sent',
  'request sent',
  'answered, nothing recorded',
  'record on its way',
  'recorded, not known',
] as const;
export const WORKER_POINTS = [
  'registered',
  'deliveries locked',
  'claim judged, not committed',
  'claim on its way',
  'claim committed, not known',
  ...ATTEMPT_POINTS,
] as const;
/** Points of a process whose mutations hand deliveries to its own dispatcher. */
export const HAND_OFF_POINTS = [
  'mutation made, not committed',
  'mutation committed, not answered',
  'hand-off committed, not begun',
  ...ATTEMPT_POINTS,
] as const;
/** Points of a worker that finds the attempt of a dead one. */
export const RECOVERY_POINTS = ['interruption on its way', 'interruption recorded, not known'] as const;

export type CrashPoint =
  | (typeof API_POINTS)[number]
  | (typeof WORKER_POINTS)[number]
  | (typeof HAND_OFF_POINTS)[number]
  | (typeof RECOVERY_POINTS)[number];

export interface CrashTrigger {
  /** Dies here if this is the point and the occurrence. */
  at(point: CrashPoint): void;
  /** Dies here after the output of this turn of the event loop was written. */
  after(point: CrashPoint): void;
}

export function createCrashTrigger(
  diesAt: { point: CrashPoint; nth: number } | undefined,
  write: (line: string) => void,
): CrashTrigger {
  let count = 0;
  function at(point: CrashPoint): void {
    if (point !== diesAt?.point || ++count < diesAt.nth) return;
    write(`died ${point}`);
    process.kill(process.pid, 'SIGKILL');
  }
  return { at, after: (point) => void setImmediate(() => at(point)) };
}

export function crashingPlane(plane: Plane, death: CrashTrigger): Plane {
  const { api } = plane.db;
  const mortal: Database = {
    ...api,
    async transaction(run) {
      const result = await api.transaction(async (tx) => {
        const made = await run(tx);
        death.at('mutation made, not committed');
        return made;
      });
      death.at('mutation committed, not answered');
      return result;
    },
  };
  const wake: Plane['deliveries']['wake'] = (endpointIds) => {
    death.at('before the wake-up notification');
    plane.deliveries.wake(endpointIds);
  };
  return {
    ...plane,
    db: { ...plane.db, api: mortal },
    mutations: createMutations({ shared: mortal, alone: mortal, patience: 1 }),
    deliveries: { ...plane.deliveries, wake },
  };
}

type Kind = 'registration' | 'record' | 'recovery' | 'other';

function kindOf({ text, values }: Sql): Kind {
  if (text.includes('insert into workers')) return 'registration';
  if (!text.includes('insert into attempts')) return 'other';
  if (!text.includes("'interrupted'")) return 'record';
  const [goneIds] = values;
  return Array.isArray(goneIds) && goneIds.length > 0 ? 'recovery' : 'other';
}

export function crashingDatabase(db: Database, death: CrashTrigger, write: (line: string) => void): Database {
  function mortal(tx: Transaction, onClaim: () => void): Transaction {
    return {
      ...tx,
      async query<Row>(statement: Sql) {
        const rows = await tx.query<Row>(statement);
        if (rows.length > 0 && statement.text.includes('for update skip locked')) death.at('deliveries locked');
        return rows;
      },
      send(statement) {
        if (statement.text.includes("set state = 'in_flight'")) onClaim();
        tx.send(statement);
      },
    };
  }
  return {
    ...db,
    async query<Row>(statement: Sql) {
      const kind = kindOf(statement);
      if (kind === 'registration') write(`worker ${statement.values[0]}`);
      const asking = db.query<Row>(statement);
      if (kind === 'recovery') death.after('interruption on its way');
      const rows = await asking;
      if (kind === 'registration') death.at('registered');
      if (kind === 'recovery') death.at('interruption recorded, not known');
      return rows;
    },
    async together<Row>(statements: readonly Sql[]) {
      const isRecord = statements.some((statement) => kindOf(statement) === 'record');
      const asking = db.together<Row>(statements);
      if (isRecord) death.after('record on its way');
      const rows = await asking;
      if (isRecord) death.at('recorded, not known');
      return rows;
    },
    async transaction(run) {
      let isClaim = false;
      const onClaim = (): void => {
        isClaim = true;
      };
      const result = await db.transaction(async (tx) => {
        const made = await run(mortal(tx, onClaim));
        if (isClaim) death.at('claim judged, not committed');
        if (isClaim) death.after('claim on its way');
        return made;
      });
      if (isClaim) death.at('claim committed, not known');
      return result;
    },
  };
}

export function crashingOutbound(outbound: OutboundClient, death: CrashTrigger): OutboundClient {
  return {
    ...outbound,
    async post(request) {
      const result = await outbound.post({
        ...request,
        preSendCheck() {
          death.at('connected, nothing sent');
          const isGiven = request.preSendCheck?.() ?? true;
          if (isGiven) death.after('request sent');
          return isGiven;
        },
      });
      if (result.kind === 'response') death.at('answered, nothing recorded');
      return result;
    },
  };
}
