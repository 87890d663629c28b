// A unit of work: one transaction, the audit entries that commit with it, and the steps that follow the commit
// (docs/decisions/0074). Example:
//
//   unitOfWork(db, { organisationId, actor, ...requestScopeOf(incoming) }, async ({ tx, audit, afterCommit }) => {
//     await updateName(tx, appId, name);
//     audit('app.update', toId('app', appId), { name });
//     afterCommit(() => reportName(appId));
//   });

import { setTimeout as pause } from 'node:timers/promises';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Database, Transaction } from '../../kit/db/db.ts';
import type { Incoming, Reply } from '../../kit/http/operation.ts';
import { type Span, traceWork } from '../../kit/telemetry/trace.ts';
import { type AuditEntry, appendAuditEntry } from '../audit/index.ts';
import type { LostAccess, ReadDatabase, RevokedGrant, RevokedKey, UnsignedReceipt, WorkPort } from './plane.ts';
import { requireOpenGate } from './restore-gate.ts';
import type { TenantTransaction } from './store.ts';
import { type ChangeAuthor, openTenant, setChangeAuthor, setOrganisation } from './tenant-store.ts';

/** The defaults of each audit entry of the unit. */
type Defaults = Partial<Pick<AuditEntry, 'organisationId' | 'appId' | 'actor' | 'requestId' | 'clientAddress'>>;

export interface WorkScope extends Defaults {
  /** The span of the request; the transaction becomes a span inside it. */
  span?: Span | undefined;
}

/** Writes an entry to the audit log with the transaction. `of` replaces defaults of the scope. */
export type Audit = (action: string, target: string, detail?: AuditEntry['detail'], of?: Defaults) => void;

export interface UnitOfWork {
  tx: Transaction;
  audit: Audit;
  /**
   * Runs the step after the commit and before the answer, in the order of the calls. A transaction that is rolled back
   * runs none. A step that resolves to a reply makes the answer of the operation, without holding a connection: the
   * operation returns this placeholder.
   */
  afterCommit(step: () => Promise<Reply>): Reply;
  afterCommit(step: () => Promise<void>): void;
}

/** Runs one transaction, and then its steps. Resolves to the result of `run`, or of the last step that has a result. */
export async function unitOfWork<T>(
  db: Pick<Database, 'transaction'>,
  scope: WorkScope,
  run: (work: UnitOfWork) => Promise<T>,
): Promise<T> {
  let steps: (() => Promise<unknown>)[] = [];
  const afterCommit = (step: () => Promise<unknown>): Reply => {
    steps.push(step);
    return { status: 200 };
  };
  const transaction = db.transaction((tx) => {
    steps = []; // after a deadlock the transaction runs again
    return run({ tx, audit: auditOf(tx, scope), afterCommit });
  });
  let result: unknown = await traceWork(scope.span, 'transaction', transaction);
  for (const step of steps) result = (await step()) ?? result;
  return result as T; // the result of `run`, or the reply of a step that replaces it
}

const auditOf =
  (tx: Transaction, scope: WorkScope): Audit =>
  (action, target, detail = {}, of = {}) => {
    const { organisationId, actor, appId = null, requestId = null, clientAddress = null } = { ...scope, ...of };
    if (organisationId === undefined || actor === undefined)
      throw new Error(`${action} has no organisation or no actor.`);
    appendAuditEntry(tx, { organisationId, actor, appId, requestId, clientAddress, action, target, detail });
  };

/** Returns the part of a scope that a request determines. */
export const requestScopeOf = ({
  exchange,
  ip,
}: Incoming): Pick<WorkScope, 'requestId' | 'clientAddress' | 'span'> => ({
  requestId: exchange.id,
  clientAddress: ip,
  span: exchange.span,
});

export interface PlaneScope extends WorkScope {
  /** The transaction sees the rows of this organisation only. */
  organisationId: string;
  /** The pool; by default the pool of changes. */
  db?: ReadDatabase;
  /** Recorded in the history of grants. */
  changeAuthor?: ChangeAuthor;
  /** True if the unit is refused while the restore gate is closed. */
  requiresOpen?: boolean;
}

/** Access that a transaction revokes in an app. */
interface RevocationDetails {
  keys?: readonly RevokedKey[];
  grants?: readonly RevokedGrant[];
  /** The number of deliveries that the revocation cancels. It can come with the commit. */
  cancelled: Promise<number>;
}

interface ReceiptDraft extends UnsignedReceipt {
  keys: RevokedKey[];
  grants: RevokedGrant[];
  cancelled: Promise<number>[];
}

export interface PlaneWork extends UnitOfWork {
  plane: WorkPort;
  organisationId: string;
  /**
   * Cancels in-flight deliveries under a lost access after the commit. The answer waits until no worker can send one.
   */
  cancelInFlight(lostAccess: LostAccess): void;
  /**
   * Names revoked access in the receipt of the transaction for the app, which is signed after the answer. Returns the id
   * of the receipt.
   */
  certify(appId: string, revoked: RevocationDetails): string;
  /** Returns the id of the receipt of the transaction for the app; null if it revoked nothing there. */
  receiptId(appId: string): string | null;
  /** Wakes the workers after the commit: deliveries are due. */
  wakeWorkers(): void;
}

/**
 * Runs a unit of work of the manager's role inside an organisation of the plane. A change just after a failover is
 * answered when no process relies on the previous primary any more: the change may take access away.
 */
export function planeWork<T>(plane: WorkPort, scope: PlaneScope, run: (work: PlaneWork) => Promise<T>): Promise<T> {
  return planeWorkOn(plane, scope, async () => {}, run);
}

/**
 * Runs the same. `load` reads what the unit is about, in one round trip with the restore gate. `run` gets it if the
 * gate is open.
 */
export function planeWorkOn<T, Loaded>(
  plane: WorkPort,
  { db = plane.db.manager, changeAuthor, requiresOpen = false, ...scope }: PlaneScope,
  load: (tx: Transaction) => Promise<Loaded>,
  run: (work: PlaneWork, loaded: Loaded) => Promise<T>,
): Promise<T> {
  const { organisationId } = scope;
  return unitOfWork(db, scope, async (work) => {
    const { tx } = work;
    const lostAccesses: LostAccess[] = [];
    const receipts = new Map<string, ReceiptDraft>();
    let cancelled: ReturnType<WorkPort['deliveries']['cancelInFlight']> | undefined;
    let isDue = false;
    const previousMs = db === plane.db.manager ? Math.ceil(tx.previousPrimaryMs()) : 0;
    // The first step: a step that makes the answer relies on it.
    work.afterCommit(async () => {
      const cancellations = (await cancelled) ?? [];
      if (previousMs > 0) await pause(previousMs);
      if (isDue) plane.deliveries.wake();
      for (const receipt of receipts.values())
        plane.receipts.sign(receipt, receipt.cancelled, cancellations, previousMs);
    });
    setOrganisation(tx, organisationId);
    if (changeAuthor) setChangeAuthor(tx, changeAuthor);
    const gate = requiresOpen ? requireOpenGate(tx) : undefined;
    const loading = load(tx);
    loading.catch(() => {}); // a closed gate decides before this failure
    await gate;
    const unit: PlaneWork = {
      ...work,
      plane,
      organisationId,
      cancelInFlight: (lostAccess) => lostAccesses.push(lostAccess),
      certify(appId, revoked) {
        const receipt = receipts.get(appId) ?? newReceipt(organisationId, appId, scope.requestId ?? null);
        receipts.set(appId, receipt);
        receipt.keys.push(...(revoked.keys ?? []));
        receipt.grants.push(...(revoked.grants ?? []));
        receipt.cancelled.push(revoked.cancelled);
        revoked.cancelled.catch(() => {}); // the transaction reports the failure
        return toReceiptId(receipt);
      },
      receiptId: (appId) => toReceiptId(receipts.get(appId)),
      wakeWorkers() {
        isDue = true;
      },
    };
    const result = await run(unit, await loading);
    for (const receipt of receipts.values()) plane.receipts.store(tx, receipt);
    cancelled = plane.deliveries.cancelInFlight(tx, lostAccesses);
    return result;
  });
}

function newReceipt(organisationId: string, appId: string, requestId: string | null): ReceiptDraft {
  return { receiptId: newUuid(), organisationId, appId, requestId, keys: [], grants: [], cancelled: [] };
}

function toReceiptId(receipt: ReceiptDraft): string;
function toReceiptId(receipt: ReceiptDraft | undefined): string | null;
function toReceiptId(receipt: ReceiptDraft | undefined): string | null {
  return receipt === undefined ? null : toId('rct', receipt.receiptId);
}

/** A unit of work in one app: its entries, lost accesses and receipts name the app. */
export interface TenantWork extends Omit<PlaneWork, 'cancelInFlight' | 'certify' | 'receiptId'> {
  tenant: TenantTransaction;
  cancelInFlight(lostAccess: Omit<LostAccess, 'appId'>): void;
  certify(revoked: RevocationDetails): string;
  receiptId(): string | null;
}

/** Opens an app in the unit. The caller has checked that the app belongs to the organisation. */
export function withTenant(work: PlaneWork, appId: string): TenantWork {
  return {
    ...work,
    tenant: openTenant(work.tx, appId),
    audit: (action, target, detail, of) => work.audit(action, target, detail, { appId, ...of }),
    cancelInFlight: (lostAccess) => work.cancelInFlight({ appId, ...lostAccess }),
    certify: (revoked) => work.certify(appId, revoked),
    receiptId: () => work.receiptId(appId),
  };
}

/** Runs the transaction of a job: the manager's role, inside an app and its organisation. */
export function asManager<T>(
  plane: WorkPort,
  { organisation_id: organisationId, app_id: appId }: { organisation_id: string; app_id: string },
  run: (tenant: TenantTransaction) => Promise<T>,
): Promise<T> {
  return planeWork(plane, { organisationId }, (work) => run(withTenant(work, appId).tenant));
}
