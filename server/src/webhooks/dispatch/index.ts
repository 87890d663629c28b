// Sends due deliveries to their receivers. Workers claim deliveries per endpoint, attempt each under a pre-send check,
// and record the outcome. Terminals can take deliveries in place of a receiver, and a revocation stops in-flight
// attempts.
import { exchangeRelays } from './exchange-relays.ts';

export const dispatchOperations = [exchangeRelays];
export type { AttemptMeasure } from './attempt-meter.ts';
export { cancelInFlightDeliveries } from './cancel-in-flight-deliveries.ts';
export { notifyQueue } from './dispatch-store.ts';
export { type Dispatcher, type DispatcherOptions, startDispatcher } from './dispatch-webhooks.job.ts';
export { authoriseEndpoint, type Probe, type ProbeResult } from './probe.ts';
export { countWorkers, findQueueAge } from './queue-age-store.ts';
export { createWakeUps, type WakeUps } from './wake-ups.ts';
export { startFailureWarnings } from './warn-of-failures.job.ts';
