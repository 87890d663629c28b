// Advances objects that are due, as `onDue` of their resource decides. Each object has its own transaction, which also
// writes the event. Several workers may run the job concurrently: the worker that locks an object advances it.
import {
  type EventPort,
  runAsTenant,
  type TenantTransaction,
  tryLockActiveApp,
  type WorkPort,
} from '../../access/authority/index.ts';
import { resources } from '../../access/contracts/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { runEach } from '../../kit/flow/run-each.ts';
import { type EventType, emitObjectEvent } from '../events/index.ts';
import { hasTable, listDueObjects, lockDueObject, postponeDue, stateOf, updateStored } from '../objects/index.ts';
import { dueInMsOf, invalidParts, withDecision } from './object-values.ts';

const RUN_EVERY_MS = 250;
const BATCH = 100;
const POSTPONED_MS = 60_000;

/** True if objects of the contract can become due. */
export const hasDueObjects = resources.some((one) => one.onDue && !hasTable(one));

export function startDueObjects(worker: Database, plane: WorkPort, onError: (error: unknown) => void): Loop {
  return startLoop(() => advanceDueObjects(worker, plane, onError), RUN_EVERY_MS, onError);
}

/** Advances every due object once. An object that fails is reported and delays no other object. */
export async function advanceDueObjects(
  worker: Database,
  plane: WorkPort,
  onError: (error: unknown) => void,
): Promise<void> {
  const due = await listDueObjects(worker, BATCH);
  const { api } = plane.db;
  const advance = ({ app_id: appId, object_id: objectId }: (typeof due)[number]) =>
    runAsTenant(api, appId, (tenant) => advanceObject(tenant, plane, objectId));
  const postpone = ({ app_id: appId, object_id: objectId }: (typeof due)[number]) =>
    runAsTenant(api, appId, (tenant) => postponeDue(tenant, objectId, POSTPONED_MS));
  await runEach('due object', due, advance, onError, postpone);
  if (due.length > 0) plane.deliveries.wake();
}

async function advanceObject(tenant: TenantTransaction, plane: EventPort, objectId: string): Promise<void> {
  if (!(await tryLockActiveApp(tenant))) return;
  const found = await lockDueObject(tenant, objectId);
  const resource = found && resources.find(({ kind }) => kind === found.kind);
  if (!found || !resource) return;
  const object = { ...found.data, ...found.hidden };
  const parent = found.parent_values ?? {};
  // The handler declares the types of the values, which the contract's schemas check.
  const decision = resource.onDue?.({ object: object as never, parent: parent as never, now: new Date(found.now_ms) });
  const { data, hidden } = withDecision(resource, found.data, found.hidden, decision);
  const [mistake] = invalidParts(resource, { key: found.key, data, hidden });
  if (mistake)
    throw new Error(
      `onDue of ${resource.name} returned a value that the schema refuses: ${mistake.pointer} ${mistake.detail}.`,
    );
  const isReported = decision?.event !== undefined;
  const row = {
    ...found,
    data,
    hidden,
    state: stateOf(resource, data),
    event_sequence: found.event_sequence + (isReported ? 1 : 0),
  };
  updateStored(tenant, { ...row, sets_due: true, due_in_ms: dueInMsOf(decision) });
  if (isReported) await emitObjectEvent(tenant, plane, resource, decision.event as EventType, row); // as declared
}
