// The kinds of objects in paths of the management API, by the name of their parameter. Callers get copies of them. An
// operation with a new kind needs a line here, and an object of the kind in the first app.

import { randomBytes } from 'node:crypto';
import { newKeyToken } from '../../src/access/authority/index.ts';
import { newUuid, toId } from '../../src/kit/crypto/ids.ts';
import { seal } from '../../src/kit/crypto/seal.ts';
import { createSigningSecret } from '../../src/kit/crypto/standard-webhooks.ts';
import { secretBinding } from '../../src/webhooks/webhooks/endpoint.ts';
import { MASTER_KEYS } from '../harness.ts';
import { type Row, type RowCopier, uuidOf } from './copied-rows.ts';
import type { SweptServer } from './grants.ts';
import type { SweptKeys } from './keys.ts';
import { swept } from './swept.ts';

export interface SweptApp {
  id: string;
  organisationId: string;
  servers: readonly SweptServer[];
  keys: SweptKeys;
  /** One object of each kind to be read, and not to be ended. */
  objects: Readonly<Record<string, string>>;
}

interface Kind {
  /** The owner of the object, and its database. */
  of: 'app' | 'organisation' | 'nobody';
  in: 'plane' | 'console';
  prefix: string;
  table: string;
  column: string;
  /** The table in which a trigger normally creates a row with the same id. */
  beside?: string;
  /** True if `rest` names a new person: then the person is copied too. */
  hasPerson?: boolean;
  /** Returns the columns of a copy that must differ, or that depend on the app. */
  rest?(app: SweptApp, uuid: string): Row;
  /** The values of the row to copy, for a table with several kinds of objects. */
  only?: Readonly<Record<string, string>>;
  /** Another kind of object, of which a new one is made for each object and named in the column. */
  parent?: { kind: string; column: string };
}

const sealedFor = (uuid: string): string =>
  `\\x${seal(createSigningSecret(), secretBinding(uuid), MASTER_KEYS).toString('hex')}`;
const hash = (): string => `\\x${randomBytes(32).toString('hex')}`;

const GET_ME = { method: 'GET', path: '/v1/me', query: null, operation_id: 'getMe', request_bytes: null };

export const KINDS: Readonly<Record<string, Kind>> = {
  keyId: {
    of: 'app',
    in: 'plane',
    prefix: 'key',
    table: 'keys',
    column: 'key_id',
    rest: () => ({ kid: newKeyToken('sandbox').kid }),
  },
  endpointId: {
    of: 'app',
    in: 'plane',
    prefix: 'whe',
    table: 'endpoints',
    beside: 'endpoint_health',
    column: 'endpoint_id',
    rest: ({ keys }, uuid) => ({
      key_id: uuidOf(keys.id('active', []) ?? ''),
      // A value that is sealed for one row cannot be opened in another.
      sealed_secret: sealedFor(uuid),
    }),
  },
  drillId: {
    of: 'app',
    in: 'plane',
    prefix: 'drl',
    table: 'drills',
    column: 'drill_id',
    // A finished drill, which does not block others.
    rest: () => ({ status: 'completed', finished_at: new Date().toISOString() }),
  },
  deliveryId: {
    of: 'app',
    in: 'plane',
    prefix: 'dlv',
    table: 'deliveries',
    column: 'delivery_id',
    // Another delivery of the same event could be under way, and would prevent a redelivery.
    parent: { kind: 'eventId', column: 'event_id' },
    // A delivery to the app's own endpoint and without a server, so that only the app decides about it.
    rest: ({ objects }) => ({ endpoint_id: uuidOf(objects.endpointId ?? ''), server_id: null }),
  },
  eventId: {
    of: 'app',
    in: 'plane',
    prefix: 'evt',
    table: 'events',
    column: 'event_id',
    // An event without a resource, so that only the app decides about it.
    rest: () => ({ type: 'ping', schema_version: 1, older_bodies: [], subject_type: 'server', only_endpoint_id: null }),
  },
  redeliveryId: { of: 'app', in: 'plane', prefix: 'rdl', table: 'redeliveries', column: 'redelivery_id' },
  requestId: {
    of: 'app',
    in: 'plane',
    prefix: 'req',
    table: 'request_records',
    column: 'request_id',
    // A request that can be replayed.
    rest: ({ keys }) => ({ ...GET_ME, key_id: uuidOf(keys.id('active', []) ?? '') }),
  },
  // An event or a delivery can be traced too.
  tracedId: { of: 'app', in: 'plane', prefix: 'req', table: 'request_records', column: 'request_id' },
  // Any object of the sandbox data can be read.
  objectId: { of: 'app', in: 'plane', ...swept.worldObject, rest: ({ id }) => swept.worldObject.rest?.(id) ?? {} },
  faultId: { of: 'app', in: 'plane', prefix: 'flt', table: 'faults', column: 'fault_id' },
  noticeId: {
    of: 'organisation',
    in: 'plane',
    prefix: 'ntc',
    table: 'notices',
    column: 'notice_id',
    rest: ({ id }) => ({ app_id: uuidOf(id), key_id: newUuid() }),
  },
  receiptId: { of: 'organisation', in: 'plane', prefix: 'rct', table: 'revocation_receipts', column: 'receipt_id' },
  messageId: { of: 'nobody', in: 'console', prefix: 'msg', table: 'outbox', column: 'message_id' },
  memberId: {
    of: 'organisation',
    in: 'console',
    prefix: 'mem',
    table: 'members',
    column: 'member_id',
    hasPerson: true,
    rest: () => ({ person_id: newUuid(), role: 'viewer' }),
  },
  accessTokenId: {
    of: 'organisation',
    in: 'console',
    prefix: 'pat',
    table: 'access_tokens',
    column: 'token_id',
    rest: () => ({ kid: newKeyToken('sandbox').kid, token_hash: hash() }),
  },
  destinationId: {
    of: 'organisation',
    in: 'console',
    prefix: 'nds',
    table: 'notice_destinations',
    column: 'destination_id',
  },
  savedViewId: {
    of: 'organisation',
    in: 'console',
    prefix: 'view',
    table: 'saved_views',
    column: 'view_id',
    rest: (_, uuid) => ({ name: uuid }),
  },
  liveAccessRequestId: {
    of: 'organisation',
    in: 'console',
    prefix: 'lar',
    table: 'live_requests',
    column: 'request_id',
    // A separate app id, because an app has one open request.
    rest: () => ({ app_id: newUuid() }),
  },
  invitationId: {
    of: 'organisation',
    in: 'console',
    prefix: 'inv',
    table: 'invitations',
    column: 'invitation_id',
    rest: () => ({ email: `${newUuid()}@example.org`, token_hash: hash() }),
  },
};

export type MakeOne = (name: string, app: SweptApp) => Promise<string>;
export type Databases = Readonly<Record<Kind['in'], RowCopier>>;

const ownerOf = ({ of }: Kind, { id, organisationId }: Pick<SweptApp, 'id' | 'organisationId'>) =>
  ({ app: { app_id: uuidOf(id) }, organisation: { organisation_id: uuidOf(organisationId) }, nobody: {} })[of];

/** Creates objects like the current ones of the first app and its organisation. */
export async function openKinds(db: Databases, first: Pick<SweptApp, 'id' | 'organisationId'>): Promise<MakeOne> {
  const rows: Record<string, Row> = {};
  const besides: Record<string, Row> = {};
  const person = await db.console.rowOf('"user"', {});
  for (const [name, kind] of Object.entries(KINDS)) {
    rows[name] = await db[kind.in].rowOf(kind.table, { ...ownerOf(kind, first), ...kind.only });
    if (kind.beside) besides[name] = await db[kind.in].rowOf(kind.beside, ownerOf(kind, first));
  }
  const makeOne: MakeOne = async (name, app) => {
    const kind = KINDS[name];
    if (!kind) throw new Error(`The sweep does not know what {${name}} is: it needs a line in object-kinds.ts.`);
    const { table, column, prefix, beside, hasPerson, parent, rest } = kind;
    const uuid = newUuid();
    const ofParent = parent && { [parent.column]: uuidOf(await makeOne(parent.kind, app)) };
    const row: Row = { ...rows[name], ...rest?.(app, uuid), ...ofParent, ...ownerOf(kind, app), [column]: uuid };
    if (hasPerson) {
      const id = row.person_id;
      await db.console.insert('"user"', [{ ...person, id, email: `${id}@example.org` }]);
    }
    await db[kind.in].insert(table, [row]);
    if (beside) await db[kind.in].insert(beside, [{ ...besides[name], ...ownerOf(kind, app), [column]: uuid }]);
    return toId(prefix, uuid);
  };
  return makeOne;
}
