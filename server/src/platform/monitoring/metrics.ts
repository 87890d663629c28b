// The table of metrics. The exposition, the Grafana dashboard, the alert rules and docs/reference/metrics.md are
// generated from it. A label has a bounded set of fixed values: never an app, a person, a path or an address.
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
      summary: 'A Slipway process has not been ready for five minutes.',
      fix: 'Read /readyz of the process, which names the failed check.',
    },
  },
  slipway_database_up: {
    type: 'gauge',
    help: '1 if the database responded within a second, otherwise 0.',
    labels: ['database'],
    panels: [panel('Databases', 'short', ['slipway_database_up', '{{instance}} {{database}}'])],
    alert: {
      name: 'SlipwayDatabaseDown',
      expr: 'slipway_database_up == 0',
      for: '1m',
      severity: 'critical',
      summary: 'A Slipway process has not reached its database for a minute. Every call is answered with 503.',
      fix: 'Check Postgres and the network between the process and Postgres.',
    },
  },
  ...CLOSURE_METRICS,
  [HTTP]: {
    type: 'histogram',
    help: 'Time from the arrival of a request to its response, including the storage of its record. The operation is `none` if the path matches no operation.',
    labels: ['listener', 'operation', 'status', 'simulated'],
    panels: [
      panel('Requests by status', 'reqps', [rate(`${HTTP}_count`, 'listener, status'), '{{listener}} {{status}}']),
      panel('Duration of requests: p99', 's', [quantile(0.99, HTTP, ', listener'), '{{listener}}']),
    ],
    alert: {
      name: 'SlipwayHighErrorRate',
      expr: `${failures} > 0.01 * sum by (listener) (rate(${HTTP}_count[5m]))`,
      for: '5m',
      severity: 'critical',
      summary: 'More than 1 % of requests have failed with 5xx for five minutes.',
      fix: 'The log has each internal error as `request.failed`, with its request id. For 503 and 504, check the database.',
    },
  },
  slipway_batch_size: {
    type: 'histogram',
    help: 'Number of requests in one database batch. The batch confirms the authority of requests or stores their records.',
    labels: ['batch'],
    panels: [
      panel('Mean size of batches', 'short', [
        `${rate('slipway_batch_size_sum', 'batch')} / ${rate('slipway_batch_size_count', 'batch')}`,
        '{{batch}}',
      ]),
    ],
  },
  slipway_batch_duration_seconds: {
    type: 'histogram',
    help: 'Duration of a batch.',
    labels: ['batch'],
    panels: [
      panel('Duration of batches: p99', 's', [
        quantile(0.99, 'slipway_batch_duration_seconds', ', batch'),
        '{{batch}}',
      ]),
    ],
  },
  slipway_batches_in_flight: {
    type: 'gauge',
    help: 'Batches that have not returned from the database.',
    labels: ['batch'],
  },
  slipway_batch_waiting: {
    type: 'gauge',
    help: 'Requests that wait for a confirmation of authority, or records that wait for storage.',
    labels: ['batch'],
    panels: [panel('Requests waiting for a batch', 'short', ['slipway_batch_waiting', '{{instance}} {{batch}}'])],
  },
  slipway_record_wait_seconds: {
    type: 'histogram',
    help: 'Time that a response waited until its record was stored.',
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
    help: 'Request records that could not be stored. They are missing from the Request Inspector.',
    labels: [],
    panels: [panel('Records lost', 'ops', ['sum(rate(slipway_records_lost_total[$__rate_interval]))', 'lost'])],
    alert: {
      name: 'SlipwayRecordsLost',
      expr: 'increase(slipway_records_lost_total[10m]) > 0',
      for: '0m',
      severity: 'warning',
      summary: 'Request records could not be stored. The Request Inspector has a gap.',
      fix: 'Read the log. The usual cause is that Postgres was unavailable or did not commit within half a second.',
    },
  },
  slipway_job_failures_total: {
    type: 'counter',
    help: 'Failed runs of a job of a worker or of the Console, by job. The job runs again after a pause.',
    labels: ['name'],
    panels: [panel('Failed jobs', 'ops', [rate('slipway_job_failures_total', 'name'), '{{name}}'])],
    alert: {
      name: 'SlipwayJobFailing',
      expr: 'increase(slipway_job_failures_total[15m]) > 0',
      for: '15m',
      severity: 'warning',
      summary: 'A job has failed repeatedly for 15 minutes.',
      fix: 'The log has each failure as `job.failed`, with the name of the job.',
    },
  },
  [ATTEMPT]: {
    type: 'histogram',
    help: 'Duration of delivery attempts, by the outcome of the attempt and the next state of the delivery.',
    labels: ['outcome', 'next'],
    panels: [panel('Webhook attempts', 'ops', [rate(`${ATTEMPT}_count`, 'outcome, next'), '{{outcome}}: {{next}}'])],
  },
  slipway_webhook_attempts_in_flight: {
    type: 'gauge',
    help: 'Delivery attempts in flight.',
    labels: [],
    panels: [panel('Webhook attempts in flight', 'short', ['slipway_webhook_attempts_in_flight', '{{instance}}'])],
  },
  slipway_webhook_queue_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest due delivery. Every worker reports the same value.',
    labels: [],
    panels: [panel('Age of the oldest due delivery', 's', ['max(slipway_webhook_queue_age_seconds)', 'age'])],
    alert: {
      name: 'SlipwayDeliveriesLate',
      expr: 'max(slipway_webhook_queue_age_seconds) > 300',
      for: '10m',
      severity: 'warning',
      summary: 'A webhook delivery has been due for more than five minutes.',
      fix: 'A slow receiver delays only its own deliveries. If deliveries of many endpoints wait, start another worker.',
    },
  },
  slipway_mail_queue_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest due mail. No value if no mail server is configured.',
    labels: [],
    alert: {
      name: 'SlipwayMailLate',
      expr: 'max(slipway_mail_queue_age_seconds) > 900',
      for: '5m',
      severity: 'warning',
      summary: 'A mail has been due for 15 minutes.',
      fix: 'The outbox of the Console, under Operator, shows the last error of the mail.',
    },
  },
  ...UPSTREAM_METRICS,
  slipway_event_loop_lag_seconds: {
    type: 'histogram',
    help: 'Delay of a timer of 100 ms.',
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
      summary: 'A Slipway process has had more work for ten minutes than one core can do.',
      fix: 'Start another process of that role.',
    },
  },
  slipway_pool_connections: {
    type: 'gauge',
    help: 'Connections to Postgres, by pool and state.',
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
    help: 'Maximum number of connections of the pool.',
    labels: ['database', 'pool'],
  },
  slipway_pool_waiting: {
    type: 'gauge',
    help: 'Requests that wait for a connection of the pool.',
    labels: ['database', 'pool'],
    panels: [
      panel('Requests waiting for a connection', 'short', [
        'sum by (database, pool) (slipway_pool_waiting)',
        '{{database}} {{pool}}',
      ]),
    ],
    alert: {
      name: 'SlipwayPoolExhausted',
      expr: 'min_over_time(slipway_pool_waiting[5m]) > 0',
      for: '0m',
      severity: 'warning',
      summary: 'Requests have waited for a connection to Postgres for five minutes without a break.',
      fix: 'Find slow statements in Postgres, or start another process of that role.',
    },
  },
  process_cpu_seconds_total: { type: 'counter', help: 'User and system CPU time of the process.', labels: [] },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of the process.',
    labels: [],
    panels: [
      panel('Memory', 'bytes', ['process_resident_memory_bytes and on (instance, job) slipway_ready', '{{instance}}']),
    ],
  },
  process_start_time_seconds: { type: 'gauge', help: 'Start time of the process, as Unix time.', labels: [] },
  nodejs_heap_size_used_bytes: { type: 'gauge', help: 'Used heap of the process.', labels: [] },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;

type ValueOf<M extends Metric> = M['type'] extends 'histogram' ? HistogramReading : number;

interface MetricSample<Name extends MetricName> {
  labels: Readonly<Record<(typeof METRICS)[Name]['labels'][number], string>>;
  value: ValueOf<(typeof METRICS)[Name]>;
}

/** The current samples of one part of the process, by metric. */
export type Readings = { [Name in MetricName]?: readonly MetricSample<Name>[] };

/** Converts a reading from milliseconds to seconds, the unit of durations in Prometheus. */
export function inSeconds({ buckets, count, sum }: HistogramReading): HistogramReading {
  return { buckets: buckets.map((one) => ({ ...one, atMost: one.atMost / 1000 })), count, sum: sum / 1000 };
}
