// The kinds of objects that paths of the management API name, by the name of their parameter: each is copied for whoever
// needs one of their own. An operation on a new kind needs a line here, and one of the kind in the home's first app.

import { newKeyToken } from '../../src/features/authority/index.ts';
import { newUuid, toId } from '../../src/kit/ids.ts';
import type { SweptApp } from './apps.ts';
import { type Copier, type Row, uuidOf } from './rows.ts';

interface Kind {
  prefix: string;
  table: string;
  column: string;
  /** What of a copy has to be another's, or belongs to the app that gets it. */
  rest?(app: SweptApp): Row;
}

export const KINDS: Readonly<Record<string, Kind>> = {
  keyId: {
    prefix: 'key',
    table: 'keys',
    column: 'key_id',
    rest: () => ({ kid: newKeyToken('sandbox').kid }),
  },
  endpointId: { prefix: 'whe', table: 'endpoints', column: 'endpoint_id' },
  deliveryId: {
    prefix: 'dlv',
    table: 'deliveries',
    column: 'delivery_id',
    rest: ({ servers }) => ({ event_id: uuidOf(servers[0]?.ids.eventId ?? '') }),
  },
  requestId: { prefix: 'req', table: 'request_records', column: 'request_id' },
  faultId: { prefix: 'flt', table: 'faults', column: 'fault_id' },
};

export type MakeOne = (name: string, app: SweptApp) => Promise<string>;

/** Makes objects like those that the first app has now. */
export async function openKinds(db: Copier, first: string): Promise<MakeOne> {
  const rows: Record<string, Row> = {};
  for (const [name, { table }] of Object.entries(KINDS)) rows[name] = await db.rowOf(table, { app_id: uuidOf(first) });
  return async (name, app) => {
    const kind = KINDS[name];
    if (!kind) throw new Error(`The sweep does not know what {${name}} is: it needs a line in kinds.ts.`);
    const { table, column, prefix, rest } = kind;
    const uuid = newUuid();
    await db.insert(table, [{ ...rows[name], ...rest?.(app), app_id: uuidOf(app.id), [column]: uuid }]);
    return toId(prefix, uuid);
  };
}
