// The table of metrics. The exposition, the Grafana dashboard, the alert rules and docs/reference/metrics.md are generated from
// it. A label has a bounded set of fixed values: never an app, a person, a path or an address.
import type { HistogramReading } from '../../kit/telemetry/histogram.ts';
import { CLOSURE_METRICS } from './closure-metrics.ts';
import { type Metric, panel, quantile, rate } from './metric.ts';
import { UPSTREAM_METRICS } from './upstream-metrics.ts';

const HTTP = 'slipway_http_request_duration_seconds';
const ATTEMPT = 'slipway_webhook_attempt_duration_seconds';
// A failure that a client simulated in the sandbox does not count as a failure.
const failures = `sum by (listener) (rate(${HTTP}_count{status=~"5..",simulated="false"}[5m]))`;

export const METRICS = {
  slipway_ready: {
    type: 'gauge',
    help: '1 if /readyz answers 200, otherwise 0.',
    labels: [],
    alert: {
      name: 'SlipwayNotReady',
      expr: 'slipway_ready == 0',
      for: '5m',
      severity: 'critical',
      summary: 'A process of Slipway has not been ready for five minutes.',
      mend: 'Read its /readyz, which names the failed check.',
    },
  },
  slipway_database_up: {
    type: 'gauge',
    help: '1 if the database answered within a second, otherwise 0.',
    labels: ['database'],
    panels: [panel('Databases', 'short', ['slipway_database_up', '{{instance}} {{database}}'])],
    alert: {
      name: 'SlipwayDatabaseDown',
      expr: 'slipway_database_up == 0',
      for: '1m',
      severity: 'critical',
      summary: 'A process of Slipway has not reached its database for a minute: every call is answered 503.',
      mend: 'Look at Postgres, and at the network between.',
    },
  },
  ...CLOSURE_METRICS,
  [HTTP]: {
    type: 'histogram',
    help: 'From the arrival of a request to its answer, its record kept. The operation is none where no path of ours was asked for.',
    labels: ['listener', 'operation', 'status', 'simulated'],
    panels: [
      panel('Requests by status', 'reqps', [rate(`${HTTP}_count`, 'listener, status'), '{{listener}} {{status}}']),
      panel('Duration of requests: p99', 's', [quantile(0.99, HTTP, ', listener'), '{{listener}}']),
    ],
    alert: {
      name: 'SlipwayErrors',
      expr: `${failures} > 0.01 * sum by (listener) (rate(${HTTP}_count[5m]))`,
      for: '5m',
      severity: 'critical',
      summary: 'More than one request in a hundred has failed for five minutes.',
      mend: 'The log has each with its request id. 503 and 504: look at the database.',
    },
  },
  slipway_batch_size: {
    type: 'histogram',
    help: 'Requests that went to the database together: to have their authority confirmed, or their records kept.',
    labels: ['batch'],
    panels: [
      panel('Batches: mean size', 'short', [
        `${rate('slipway_batch_size_sum', 'batch')} / ${rate('slipway_batch_size_count', 'batch')}`,
        '{{batch}}',
      ]),
    ],
  },
  slipway_batch_duration_seconds: {
    type: 'histogram',
    help: 'How long such a batch took.',
    labels: ['batch'],
    panels: [
      panel('Batches: p99 of duration', 's', [
        quantile(0.99, 'slipway_batch_duration_seconds', ', batch'),
        '{{batch}}',
      ]),
    ],
  },
  slipway_batches_in_flight: { type: 'gauge', help: 'Such batches that have not returned.', labels: ['batch'] },
  slipway_batch_waiting: {
    type: 'gauge',
    help: 'Requests that wait for their authority, and records that wait to be kept.',
    labels: ['batch'],
    panels: [panel('Waiting for a batch', 'short', ['slipway_batch_waiting', '{{instance}} {{batch}}'])],
  },
  slipway_record_wait_seconds: {
    type: 'histogram',
    help: 'How long answers waited for the records that were kept.',
    labels: [],
    panels: [
      panel(
        'Wait for the record',
        's',
        [quantile(0.5, 'slipway_record_wait_seconds', ''), 'p50'],
        [quantile(0.99, 'slipway_record_wait_seconds', ''), 'p99'],
      ),
    ],
  },
  slipway_records_lost_total: {
    type: 'counter',
    help: 'Records of requests that were given up: gaps in the Request Inspector.',
    labels: [],
    panels: [panel('Records lost', 'ops', ['sum(rate(slipway_records_lost_total[$__rate_interval]))', 'lost'])],
    alert: {
      name: 'SlipwayRecordsLost',
      expr: 'increase(slipway_records_lost_total[10m]) > 0',
      for: '0m',
      severity: 'warning',
      summary: 'Records of requests could not be kept: the Request Inspector has a gap.',
      mend: 'The log says why: as a rule Postgres was away, or too slow to commit within half a second.',
    },
  },
  slipway_job_failures_total: {
    type: 'counter',
    help: 'Failed runs of each job of a worker or of the Console. The job runs again after a pause.',
    labels: ['name'],
    panels: [panel('Failed jobs', 'ops', [rate('slipway_job_failures_total', 'name'), '{{name}}'])],
    alert: {
      name: 'SlipwayJobFailing',
      expr: 'increase(slipway_job_failures_total[15m]) > 0',
      for: '15m',
      severity: 'warning',
      summary: 'A job of Slipway has failed repeatedly for 15 minutes.',
      mend: 'The log has each failure as `job.failed`, with the name of the job.',
    },
  },
  [ATTEMPT]: {
    type: 'histogram',
    help: 'Attempts to deliver a webhook, by how they ended and what follows for the delivery.',
    labels: ['outcome', 'next'],
    panels: [panel('Webhook attempts', 'ops', [rate(`${ATTEMPT}_count`, 'outcome, next'), '{{outcome}}: {{next}}'])],
  },
  slipway_webhook_attempts_in_flight: {
    type: 'gauge',
    help: 'Attempts to deliver a webhook that are on their way.',
    labels: [],
    panels: [panel('Webhook attempts in flight', 'short', ['slipway_webhook_attempts_in_flight', '{{instance}}'])],
  },
  slipway_webhook_queue_age_seconds: {
    type: 'gauge',
    help: 'For how long the delivery is due that has waited longest; the same from every worker.',
    labels: [],
    panels: [panel('Oldest waiting delivery', 's', ['max(slipway_webhook_queue_age_seconds)', 'age'])],
    alert: {
      name: 'SlipwayDeliveriesLate',
      expr: 'max(slipway_webhook_queue_age_seconds) > 300',
      for: '10m',
      severity: 'warning',
      summary: 'A webhook delivery has been due for more than five minutes.',
      mend: 'One slow receiver holds up its own deliveries alone; where many wait, start another worker.',
    },
  },
  slipway_mail_queue_age_seconds: {
    type: 'gauge',
    help: 'For how long the message is due that has waited longest; none where no mail server is set.',
    labels: [],
    alert: {
      name: 'SlipwayMailLate',
      expr: 'max(slipway_mail_queue_age_seconds) > 900',
      for: '5m',
      severity: 'warning',
      summary: 'A mail has been due for a quarter of an hour.',
      mend: 'The outbox of the Console, under Operator, shows its last error.',
    },
  },
  ...UPSTREAM_METRICS,
  slipway_event_loop_lag_seconds: {
    type: 'histogram',
    help: 'How late a timer of 100 ms was.',
    labels: [],
    panels: [
      panel('Event-loop lag: p99', 's', [
        quantile(0.99, 'slipway_event_loop_lag_seconds', ', instance'),
        '{{instance}}',
      ]),
    ],
    alert: {
      name: 'SlipwayEventLoopLag',
      expr: 'histogram_quantile(0.99, sum by (le, instance) (rate(slipway_event_loop_lag_seconds_bucket[5m]))) > 0.5',
      for: '10m',
      severity: 'warning',
      summary: 'A process of Slipway has had more to do for ten minutes than one core can.',
      mend: 'Start another of its role.',
    },
  },
  slipway_pool_connections: {
    type: 'gauge',
    help: 'Connections to Postgres.',
    labels: ['database', 'pool', 'state'],
    panels: [
      panel('Connections in use', 'short', [
        'sum by (database, pool) (slipway_pool_connections{state="in_use"})',
        '{{database}} {{pool}}',
      ]),
    ],
  },
  slipway_pool_max_connections: {
    type: 'gauge',
    help: 'How many connections a pool opens at most.',
    labels: ['database', 'pool'],
  },
  slipway_pool_waiting: {
    type: 'gauge',
    help: 'Requests that wait for a connection of the pool.',
    labels: ['database', 'pool'],
    panels: [
      panel('Waiting for a connection', 'short', [
        'sum by (database, pool) (slipway_pool_waiting)',
        '{{database}} {{pool}}',
      ]),
    ],
    alert: {
      name: 'SlipwayPoolExhausted',
      expr: 'min_over_time(slipway_pool_waiting[5m]) > 0',
      for: '0m',
      severity: 'warning',
      summary: 'For five minutes a request always waited for a connection to Postgres.',
      mend: 'Look for slow statements in Postgres; start another process of that role.',
    },
  },
  process_cpu_seconds_total: { type: 'counter', help: 'Processor time, of user and system.', labels: [] },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory.',
    labels: [],
    panels: [
      panel('Memory', 'bytes', ['process_resident_memory_bytes and on (instance, job) slipway_ready', '{{instance}}']),
    ],
  },
  process_start_time_seconds: { type: 'gauge', help: 'When the process began, as Unix time.', labels: [] },
  nodejs_heap_size_used_bytes: { type: 'gauge', help: 'Used heap of the process.', labels: [] },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;

type ValueOf<M extends Metric> = M['type'] extends 'histogram' ? HistogramReading : number;

export interface Sample<Name extends MetricName> {
  labels: Readonly<Record<(typeof METRICS)[Name]['labels'][number], string>>;
  value: ValueOf<(typeof METRICS)[Name]>;
}

/** The current samples of one part of the process, by metric. */
export type Readings = { [Name in MetricName]?: readonly Sample<Name>[] };

/** Converts a reading from milliseconds to seconds, the unit of durations in Prometheus. */
export function inSeconds({ buckets, count, sum }: HistogramReading): HistogramReading {
  return { buckets: buckets.map((one) => ({ ...one, atMost: one.atMost / 1000 })), count, sum: sum / 1000 };
}
