// Metrics of production's API about the upstream API.
import { type Metric, panel, quantile, rate } from './metric.ts';

const REQUEST = 'slipway_upstream_request_duration_seconds';
const FAILURES = 'slipway_upstream_failures_total';

export const UPSTREAM_METRICS = {
  [REQUEST]: {
    type: 'histogram',
    help: 'Duration of requests to the upstream API by outcome: answered, or the kind of failure. Requests that the circuit breaker held back were not sent.',
    labels: ['outcome'],
    panels: [
      panel('Requests to the platform', 'reqps', [rate(`${REQUEST}_count`, 'outcome'), '{{outcome}}']),
      panel('Duration of requests to the platform: p99', 's', [quantile(0.99, REQUEST, ''), 'p99']),
    ],
  },
  [FAILURES]: {
    type: 'counter',
    help: 'Failures of the upstream API by kind, for which apps received 502, 503 or 504.',
    labels: ['kind'],
    panels: [panel('Failures of the platform', 'ops', [rate(FAILURES, 'kind'), '{{kind}}'])],
    alert: {
      name: 'SlipwayPlatformBreaksContract',
      expr: `sum by (kind) (increase(${FAILURES}{kind=~"form|status|configuration|too_large"}[5m])) > 0`,
      for: '0m',
      severity: 'warning',
      summary: 'The platform behind production gives answers that do not fit the contract: apps are answered 502.',
      mend: 'Operator, Platform in the Console names the operations, and a request of each.',
    },
  },
  slipway_upstream_breaker_open: {
    type: 'gauge',
    help: '1 if the circuit breaker is open, because too many requests to the upstream API failed in a row, otherwise 0.',
    labels: [],
    panels: [panel('Platform is left alone', 'short', ['max(slipway_upstream_breaker_open)', 'open'])],
    alert: {
      name: 'SlipwayPlatformAway',
      expr: 'max(slipway_upstream_breaker_open) > 0',
      for: '1m',
      severity: 'critical',
      summary: 'The platform behind production has not answered for a minute: apps are answered 503.',
      mend: 'Look at the platform, and at the network between.',
    },
  },
} as const satisfies Record<string, Metric>;
