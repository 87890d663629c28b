// Metrics of production's API about the upstream API.
import { type Metric, panel, quantile, rate } from './metric.ts';

const REQUEST = 'slipway_upstream_request_duration_seconds';
const FAILURES = 'slipway_upstream_failures_total';

export const UPSTREAM_METRICS = {
  [REQUEST]: {
    type: 'histogram',
    help: 'Duration of requests to the upstream API by outcome: `response`, or the kind of failure. Requests that the circuit breaker rejected are not counted.',
    labels: ['outcome'],
    panels: [
      panel('Requests to the upstream API', 'reqps', [rate(`${REQUEST}_count`, 'outcome'), '{{outcome}}']),
      panel('Duration of requests to the upstream API: p99', 's', [quantile(0.99, REQUEST, ''), 'p99']),
    ],
  },
  [FAILURES]: {
    type: 'counter',
    help: 'Failures of the upstream API by kind. For each, an app received 502, 503 or 504.',
    labels: ['kind'],
    panels: [panel('Failures of the upstream API', 'ops', [rate(FAILURES, 'kind'), '{{kind}}'])],
    alert: {
      name: 'SlipwayUpstreamContractViolation',
      expr: `sum by (kind) (increase(${FAILURES}{kind=~"form|status|configuration|too_large"}[5m])) > 0`,
      for: '0m',
      severity: 'warning',
      summary: 'The upstream API of production sends responses that violate the contract. Apps receive 502.',
      fix: 'Operator, Upstream API in the Console names the operations, with a request of each.',
    },
  },
  slipway_upstream_breaker_open: {
    type: 'gauge',
    help: '1 if the circuit breaker is open, because too many requests to the upstream API failed in a row, otherwise 0.',
    labels: [],
    panels: [
      panel('Circuit breaker of the upstream API open', 'short', ['max(slipway_upstream_breaker_open)', 'open']),
    ],
    alert: {
      name: 'SlipwayUpstreamUnavailable',
      expr: 'max(slipway_upstream_breaker_open) > 0',
      for: '1m',
      severity: 'critical',
      summary: 'The upstream API of production has not responded for a minute. Apps receive 503.',
      fix: 'Check the upstream API and the network between Slipway and the upstream API.',
    },
  },
} as const satisfies Record<string, Metric>;
