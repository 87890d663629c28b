// Monitoring: health, metrics, and the files for Prometheus and Grafana that are generated from the table of metrics.
export { checkDatabase, checkLoop, tellGate, tellJournalAge, tellLeaseAge, tellQueueAge } from './checks.ts';
export { alertRules, dashboard, metricsPage } from './dashboard.ts';
export { watchLoop } from './event-loop.ts';
export { exposition } from './exposition.ts';
export { createJobMeter } from './job-meter.ts';
export { createMonitoringListener } from './listener.ts';
export { inSeconds, METRICS, type MetricName, type Readings } from './metrics.ts';
export { type Check, createReadiness, type Readiness } from './readiness.ts';
export { createRequestMeter, type RequestMeter } from './request-meter.ts';
