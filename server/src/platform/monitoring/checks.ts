// The checks of /readyz: those that a ready process must pass, and those that only report. Each check answers within a
// second.
import type { Database } from '../../kit/db/db.ts';
import type { EventLoopMonitor } from './event-loop.ts';
import { type ReadinessCheck, withinASecond } from './readiness.ts';
import { findDatabaseState } from './store.ts';

/**
 * Checks that a writable primary answers and has the migrations that this version needs. A database with more migrations
 * belongs to a newer version, next to which this version keeps working.
 */
export function checkDatabase(
  database: 'sandbox' | 'production' | 'console',
  db: Database,
  neededVersion: number,
): ReadinessCheck {
  return {
    name: `database.${database}`,
    async run() {
      const state = await withinASecond(() => findDatabaseState(db));
      const isUp = state !== undefined && !state.isReadOnly;
      const readings = { slipway_database_up: [{ labels: { database }, value: isUp ? 1 : 0 }] };
      if (state === undefined)
        return { isOk: false, detail: 'No writable primary answered within one second.', readings };
      if (state.isReadOnly) return { isOk: false, detail: 'The database is read-only.', readings };
      const { version } = state;
      if (version >= neededVersion)
        return { isOk: true, detail: `The database has schema version ${version}.`, readings };
      return {
        isOk: false,
        detail: `The database has schema version ${version}. This process requires version ${neededVersion}.`,
        readings,
      };
    },
  };
}

/** Authority requires a confirmation within a second. A process that is repeatedly later answers 503. */
const MAX_LAG_MS = 1_000;

export function checkEventLoop(loop: EventLoopMonitor): ReadinessCheck {
  return {
    name: 'event_loop',
    async run() {
      const lagMs = Math.round(loop.lastingLagMs());
      return { isOk: lagMs < MAX_LAG_MS, detail: `The event loop is repeatedly ${lagMs} ms late.` };
    },
  };
}

/**
 * Reports the age of a queue. It never makes a process unready: one slow receiver would take all workers away from the
 * others.
 */
export function reportQueueAge(
  name: 'webhooks' | 'mail',
  metric: 'slipway_webhook_queue_age_seconds' | 'slipway_mail_queue_age_seconds',
  find: () => Promise<number | undefined>,
): ReadinessCheck {
  return {
    name: `queue.${name}`,
    async run() {
      const age = await withinASecond(async () => (await find()) ?? 0);
      if (age === undefined) return { isOk: true, detail: 'Its age is not known.' };
      const readings = { [metric]: [{ labels: {}, value: age }] };
      return { isOk: true, detail: `The oldest entry has waited for ${age.toFixed(1)} s.`, readings };
    },
  };
}

/**
 * Reports a closed restore gate. It does not make a process unready, so that callers get Slipway's own response with
 * the reason and not one of a load balancer.
 */
export function reportGate(
  database: 'sandbox' | 'production' | 'console',
  findIsClosed: () => Promise<boolean>,
): ReadinessCheck {
  return {
    name: `restore_gate.${database}`,
    async run() {
      const isClosed = await withinASecond(findIsClosed);
      if (isClosed === undefined) return { isOk: true, detail: 'Its state is not known.' };
      const readings = { slipway_restore_gate_closed: [{ labels: { database }, value: isClosed ? 1 : 0 }] };
      const detail = isClosed
        ? 'The gate is closed after a restore: every call is answered 503 until `slipway-server reopen` has run.'
        : 'The gate is open.';
      return { isOk: true, detail, readings };
    },
  };
}

/**
 * Reports the age of the Console's lease on the status of organisations. It does not make a process unready, for the
 * same reason as the restore gate.
 */
export function reportLeaseAge(
  database: 'sandbox' | 'production',
  find: () => Promise<number | undefined>,
): ReadinessCheck {
  return {
    name: `status_lease.${database}`,
    async run() {
      const age = await withinASecond(async () => (await find()) ?? 'none');
      if (age === undefined) return { isOk: true, detail: 'Its age is not known.' };
      if (age === 'none') return { isOk: true, detail: 'No Console has announced a lease.' };
      const readings = { slipway_status_lease_age_seconds: [{ labels: { database }, value: age }] };
      return { isOk: true, detail: `The Console extended the lease ${age.toFixed(0)} s ago.`, readings };
    },
  };
}

/** Reports how long the oldest revocation has waited for the journal. */
export function reportJournalAge(database: 'sandbox' | 'production', find: () => Promise<number>): ReadinessCheck {
  return {
    name: `revocation_journal.${database}`,
    async run() {
      const age = await withinASecond(find);
      if (age === undefined) return { isOk: true, detail: 'Its age is not known.' };
      const readings = { slipway_revocation_journal_age_seconds: [{ labels: { database }, value: age }] };
      return { isOk: true, detail: `The oldest revocation has waited for ${age.toFixed(1)} s.`, readings };
    },
  };
}
