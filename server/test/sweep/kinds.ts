// The kinds of objects that paths of the management API name, by the name of their parameter: each is copied for whoever
// needs one of their own. An operation on a new kind needs a line here, and one of the kind in the home's first app.

import { randomBytes } from 'node:crypto';
import { newKeyToken } from '../../src/access/authority/index.ts';
import { newUuid, toId } from '../../src/kit/crypto/ids.ts';
import { seal } from '../../src/kit/crypto/seal.ts';
import { createSigningSecret } from '../../src/kit/crypto/standard-webhooks.ts';
import { secretBinding } from '../../src/webhooks/webhooks/endpoint.ts';
import { MASTER_KEYS } from '../harness.ts';
import type { SweptServer } from './grants.ts';
import type { SweptKeys } from './keys.ts';
import { type Copier, type Row, uuidOf } from './rows.ts';

export interface SweptApp {
  id: string;
  organisationId: string;
  servers: SweptServer[];
  keys: SweptKeys;
  /** One of each kind that paths name, to be read and not to be ended. */
  objects: Readonly<Record<string, string>>;
}

interface Kind {
  /** Whose it is, and in which database. */
  of: 'app' | 'organisation' | 'nobody';
  in: 'plane' | 'console';
  prefix: string;
  table: string;
  column: string;
  /** Where a trigger makes a row of the same name beside it. */
  beside?: string;
  /** Whether `rest` names a new person, who is copied too. */
  hasPerson?: boolean;
  /** What of a copy has to be another's, or belongs to the app that gets it. */
  rest?(app: SweptApp, uuid: string): Row;
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
      key_id: uuidOf(keys.id('active', undefined) ?? ''),
      // What another row's is sealed for opens in no other.
      sealed_secret: sealedFor(uuid),
    }),
  },
  drillId: {
    of: 'app',
    in: 'plane',
    prefix: 'drl',
    table: 'drills',
    column: 'drill_id',
    // One that is over: it keeps no other from running.
    rest: () => ({ status: 'completed', finished_at: new Date().toISOString() }),
  },
  deliveryId: {
    of: 'app',
    in: 'plane',
    prefix: 'dlv',
    table: 'deliveries',
    column: 'delivery_id',
    // To an endpoint of the app's own, and of no server: nobody but the app decides about it.
    rest: ({ servers, objects }) => ({
      event_id: uuidOf(servers[0]?.ids.eventId ?? ''),
      endpoint_id: uuidOf(objects.endpointId ?? ''),
      server_id: null,
    }),
  },
  redeliveryId: { of: 'app', in: 'plane', prefix: 'rdl', table: 'redeliveries', column: 'redelivery_id' },
  requestId: {
    of: 'app',
    in: 'plane',
    prefix: 'req',
    table: 'request_records',
    column: 'request_id',
    // One that can be made again as it was.
    rest: ({ keys }) => ({ ...GET_ME, key_id: uuidOf(keys.id('active', undefined) ?? '') }),
  },
  // An event or a delivery leads there too.
  tracedId: { of: 'app', in: 'plane', prefix: 'req', table: 'request_records', column: 'request_id' },
  faultId: { of: 'app', in: 'plane', prefix: 'flt', table: 'faults', column: 'fault_id' },
  noticeId: {
    of: 'organisation',
    in: 'plane',
    prefix: 'ntc',
    table: 'notices',
    column: 'notice_id',
    rest: ({ id }) => ({ app_id: uuidOf(id), key_id: newUuid() }),
  },
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
  liveAccessRequestId: {
    of: 'organisation',
    in: 'console',
    prefix: 'lar',
    table: 'live_requests',
    column: 'request_id',
    // Of an app of its own: an app has one that is open.
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
export type Databases = Readonly<Record<Kind['in'], Copier>>;

const ownerOf = ({ of }: Kind, { id, organisationId }: Pick<SweptApp, 'id' | 'organisationId'>) =>
  ({ app: { app_id: uuidOf(id) }, organisation: { organisation_id: uuidOf(organisationId) }, nobody: {} })[of];

/** Makes objects like those that the first app and its organisation have now. */
export async function openKinds(db: Databases, first: Pick<SweptApp, 'id' | 'organisationId'>): Promise<MakeOne> {
  const rows: Record<string, Row> = {};
  const besides: Record<string, Row> = {};
  const person = await db.console.rowOf('"user"', {});
  for (const [name, kind] of Object.entries(KINDS)) {
    rows[name] = await db[kind.in].rowOf(kind.table, ownerOf(kind, first));
    if (kind.beside) besides[name] = await db[kind.in].rowOf(kind.beside, ownerOf(kind, first));
  }
  return async (name, app) => {
    const kind = KINDS[name];
    if (!kind) throw new Error(`The sweep does not know what {${name}} is: it needs a line in kinds.ts.`);
    const { table, column, prefix, beside, hasPerson, rest } = kind;
    const uuid = newUuid();
    const row: Row = { ...rows[name], ...rest?.(app, uuid), ...ownerOf(kind, app), [column]: uuid };
    if (hasPerson) {
      const id = row.person_id;
      await db.console.insert('"user"', [{ ...person, id, email: `${id}@example.org` }]);
    }
    await db[kind.in].insert(table, [row]);
    if (beside) await db[kind.in].insert(beside, [{ ...besides[name], ...ownerOf(kind, app), [column]: uuid }]);
    return toId(prefix, uuid);
  };
}
