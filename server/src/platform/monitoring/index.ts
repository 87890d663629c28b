// Monitoring: health and metrics.
export {
  checkDatabase,
  checkEventLoop,
  reportGate,
  reportJournalAge,
  reportLeaseAge,
  reportQueueAge,
} from './checks.ts';
export { monitorEventLoop } from './event-loop.ts';
export { exposition } from './exposition.ts';
export { createJobMeter } from './job-meter.ts';
export { createMonitoringListener } from './listener.ts';
export { inSeconds, type Readings } from './metrics.ts';
export { createReadiness, type ReadinessCheck } from './readiness.ts';
export { createRequestMeter, type RequestMeter } from './request-meter.ts';
