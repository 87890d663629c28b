// A receipt of revocations: what was revoked, when the revocation was committed, and how Slipway made sure that no
// delivery under the lost access begins. It is signed once and never changed.
import {
  type AccessCancellation,
  AppId,
  type Environment,
  KeyId,
  ReceiptId,
  type RevokedGrant,
  type RevokedKey,
  type UnsignedReceipt,
} from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { dateTime, integer, namedObject, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { ServerId } from '../../resources/servers/index.ts';

/** The `typ` of a signed receipt. */
export const RECEIPT_TYPE = 'slipway-revocation-receipt+jws';

/** The keys and servers that a receipt in a list names. */
const NAMED_IN_LIST = 10;
/** A change of many installations changes at most 1,000 servers with six scopes each. */
const MAX_JWS_LENGTH = 1_000_000;

const summaryFields = {
  id: ReceiptId,
  appId: AppId,
  requestId: nullable(
    text('The request that revoked the access; null for a revocation without a request.', { maxLength: 64 }),
  ),
  createdAt: dateTime('The time of the revocation, before its commit.'),
  signedAt: nullable(
    dateTime(
      'The time of the signature, usually some milliseconds after the answer of the revocation. Null while the receipt is not signed yet.',
    ),
  ),
  keyIds: Type.Array(KeyId, {
    maxItems: NAMED_IN_LIST,
    description: `The revoked keys, at most ${NAMED_IN_LIST}.`,
  }),
  keys: integer('The number of revoked keys.', 0),
  serverIds: Type.Array(ServerId, {
    maxItems: NAMED_IN_LIST,
    description: `The servers with a revoked grant, at most ${NAMED_IN_LIST}.`,
  }),
  servers: integer('The number of servers with a revoked grant.', 0),
};

export const ReceiptSummary = namedObject('RevocationReceiptSummary', 'A receipt in a list.', summaryFields);
type ReceiptSummary = Static<typeof ReceiptSummary>;

export const Receipt = namedObject('RevocationReceipt', 'A signed receipt of revocations.', {
  ...summaryFields,
  jws: nullable(
    text(
      'The receipt as a JSON Web Signature in compact form with Ed25519 (RFC 7515, RFC 8037). Null while the receipt is not signed yet.',
      { maxLength: MAX_JWS_LENGTH, pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{86}$' },
    ),
  ),
  keysUrl: text('The public address of the keys that verify receipts of this environment, as a JSON Web Key Set.', {
    maxLength: 2048,
  }),
});

export interface ReceiptRow {
  receipt_id: string;
  app_id: string;
  request_id: string | null;
  keys: RevokedKey[];
  grants: RevokedGrant[];
  created_at: Date;
  signed_at: Date | null;
}

export interface SignedReceiptRow extends ReceiptRow {
  jws: string | null;
}

export function toReceiptSummary(row: ReceiptRow): ReceiptSummary {
  const serverIds = [...new Set(row.grants.map(({ serverId }) => serverId))];
  return {
    id: toId('rct', row.receipt_id),
    appId: toId('app', row.app_id),
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
    signedAt: row.signed_at?.toISOString() ?? null,
    keyIds: row.keys.slice(0, NAMED_IN_LIST).map(({ keyId }) => toId('key', keyId)),
    keys: row.keys.length,
    serverIds: serverIds.slice(0, NAMED_IN_LIST).map((serverId) => toId('srv', serverId)),
    servers: serverIds.length,
  };
}

/** The address of the keys never changes, because receipts are verified years later. */
export const toReceipt = (row: SignedReceiptRow, publicUrl: string): Static<typeof Receipt> => ({
  ...toReceiptSummary(row),
  jws: row.jws,
  keysUrl: `${publicUrl}/receipt-keys`,
});

/** The observations of a revocation; undefined if its process ended before it had all of them. */
export interface Observations {
  cancelled: number;
  cancellations: readonly AccessCancellation[];
  /** Milliseconds of the wait after a failover; 0 without a recent one. */
  failoverWaitMs: number;
}

interface ReceiptIssue {
  environment: Environment;
  /** The public URL of the environment. */
  issuer: string;
  /** The database's time before the commit. */
  createdAt: Date;
  signedAt: Date;
}

const LIMITS = {
  frozen:
    'A worker process that is frozen between its last check and the write sends one stale request when it continues. Its timestamp is then old: a receiver that verifies webhook-timestamp refuses it.',
  reads:
    'A read that was in progress at the commit can still finish. API processes confirm nothing: they read the state of access for each batch of requests from the primary database.',
  backlog: 'Deliveries that the commit did not cancel are cancelled by the next claim of each, which sends nothing.',
  unobserved:
    'The process that handled the revocation ended before it had recorded the confirmations of the workers and the numbers of deliveries. A claim from before the commit ends after 60 seconds, and the receipt was signed later.',
};

/** Returns the signed content of a receipt. What was not observed is null, never zero. */
export function toReceiptPayload(
  receipt: UnsignedReceipt,
  { environment, issuer, createdAt, signedAt }: ReceiptIssue,
  observed: Observations | undefined,
): object {
  const { cancellations = [] } = observed ?? {};
  const committedBy = cancellations.map((one) => one.committedBy.getTime());
  const before = observed === undefined ? signedAt : new Date(Math.max(...committedBy));
  const workers = new Map(cancellations.flatMap((one) => one.workers.map((worker) => [worker.workerId, worker])));
  return {
    version: 1,
    iss: issuer,
    environment,
    receiptId: toId('rct', receipt.receiptId),
    organisationId: toId('org', receipt.organisationId),
    appId: toId('app', receipt.appId),
    requestId: receipt.requestId,
    revoked: {
      keys: receipt.keys.map(({ keyId, kid }) => ({ keyId: toId('key', keyId), kid })),
      grants: groupByServer(receipt.grants),
    },
    committed: { after: createdAt.toISOString(), before: before.toISOString() },
    epoch: observed ? Math.max(...cancellations.map(({ epoch }) => epoch)) : null,
    deliveries: {
      cancelled: observed?.cancelled ?? null,
      attemptsInFlight: observed ? cancellations.reduce((sum, { attempts }) => sum + attempts, 0) : null,
    },
    mechanism: observed ? 'worker_confirmation' : 'claim_lifetime',
    workers: observed ? [...workers.values()] : null,
    failoverWaitMs: observed?.failoverWaitMs ?? null,
    limits: [LIMITS.frozen, LIMITS.reads, LIMITS.backlog, ...(observed ? [] : [LIMITS.unobserved])],
    signedAt: signedAt.toISOString(),
  };
}

/** Groups grants by server. `scopes` is null for an installation as a whole. */
function groupByServer(grants: readonly RevokedGrant[]): { serverId: string; scopes: string[] | null }[] {
  const scopesOf = new Map<string, string[] | null>();
  for (const { serverId, scope } of grants) {
    const scopes = scopesOf.get(serverId) ?? [];
    const isWhole = scope === null || scopesOf.get(serverId) === null;
    scopesOf.set(serverId, isWhole ? null : [...scopes, scope]);
  }
  return [...scopesOf].map(([serverId, scopes]) => ({ serverId: toId('srv', serverId), scopes }));
}

export const exampleReceiptSummary: ReceiptSummary = {
  id: 'rct_01j9z3v8k6e5t8m2n4p6q8r0sc',
  appId: 'app_01j9z3v8k6e5t8m2n4p6q8r0s5',
  requestId: 'req_01j9z3v8k6e5t8m2n4p6q8r0s6',
  createdAt: '2026-11-03T08:00:00.000Z',
  signedAt: '2026-11-03T08:00:00.031Z',
  keyIds: ['key_01j9z3v8k6e5t8m2n4p6q8r0s7'],
  keys: 1,
  serverIds: [],
  servers: 0,
};

export const exampleReceipt: Static<typeof Receipt> = {
  ...exampleReceiptSummary,
  jws: `eyJhbGciOiJFZERTQSJ9.e30.${'A'.repeat(86)}`,
  keysUrl: 'http://localhost:4000/receipt-keys',
};
