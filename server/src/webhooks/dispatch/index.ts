// Sends due deliveries to their receivers. Workers claim deliveries per endpoint, attempt each under a pre-send check,
// and record the outcome. Terminals can take deliveries in place of a receiver, and a revocation stops in-flight
// attempts.
import { exchangeRelays } from './relays/exchange-relays.ts';

export const dispatchOperations = [exchangeRelays];
export { WEBHOOK_HEADERS, WEBHOOK_LIMITS } from './attempt/attempt.ts';
export { type AttemptResult, evaluateResult } from './attempt/attempt-result.ts';
export { authoriseEndpoint, type Probe, type ProbeResult } from './attempt/probe.ts';
export { notifyQueue } from './claim/claim-store.ts';
export { type Dispatcher, startDispatcher } from './dispatch-webhooks.job.ts';
export { type EndpointNoticeRow, toNoticeEndpoint } from './health/health-store.ts';
export { startFailureWarnings } from './health/warn-of-failures.job.ts';
export { countWorkers, findQueueAge } from './queue/queue-age-store.ts';
export { createWakeUps, type WakeUps } from './wake-ups.ts';
export { cancelInFlightDeliveries } from './workers/cancel-in-flight-deliveries.ts';
