// Metrics of a database that is closed as a whole: after a restore, or without a lease of the Console.
import { type Metric, panel } from './metric.ts';

export const CLOSURE_METRICS = {
  slipway_restore_gate_closed: {
    type: 'gauge',
    help: '1 if the database was restored and is closed until an operator reopens it, otherwise 0.',
    labels: ['database'],
    panels: [panel('Restore gate closed', 'short', ['slipway_restore_gate_closed', '{{instance}} {{database}}'])],
    alert: {
      name: 'SlipwayRestoreGateClosed',
      expr: 'max by (database) (slipway_restore_gate_closed) == 1',
      for: '0m',
      severity: 'critical',
      summary: 'A Slipway database was restored or has gone back in time. Every call is answered with 503.',
      fix: 'Run `slipway-server reopen`; docs/operate/backup-and-disaster-recovery.md has the steps under "Reopen after a restore".',
    },
  },
  slipway_status_lease_age_seconds: {
    type: 'gauge',
    help: 'Seconds since the Console last confirmed the status of organisations. No value before the first lease.',
    labels: ['database'],
    panels: [
      panel('Age of the status lease', 's', ['max by (database) (slipway_status_lease_age_seconds)', '{{database}}']),
    ],
    alert: {
      name: 'SlipwayStatusLeaseOld',
      expr: 'max by (database) (slipway_status_lease_age_seconds) > 300',
      for: '0m',
      severity: 'critical',
      summary:
        'The Console has not confirmed the status of organisations for five minutes. After the lease expires, every call is answered with 503.',
      fix: 'Start the Console, and check the network between the Console and the management listener. After a restore, the log of the Console names the organisations whose report fails, as `job.failed` with the job `status-lease`.',
    },
  },
  slipway_revocation_journal_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest revocation that is not yet in the revocation journal. Every worker reports the same value.',
    labels: ['database'],
    alert: {
      name: 'SlipwayRevocationJournalLate',
      expr: 'max by (database) (slipway_revocation_journal_age_seconds) > 60',
      for: '0m',
      severity: 'warning',
      summary: 'A revocation has not been written to the revocation journal for a minute.',
      fix: 'The log of the worker has the cause, as `job.failed` with the job `revocation-journal`.',
    },
  },
} as const satisfies Record<string, Metric>;
