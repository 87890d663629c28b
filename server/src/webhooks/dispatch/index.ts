// How deliveries that are due get to their receivers: workers that claim them by lanes, attempt each under a permit, and record what became
// of it; terminals that take them in place of a receiver; and the stop that a revoke waits for.
import { exchangeRelays } from './exchange-relays.ts';

export const dispatchOperations = [exchangeRelays];
export type { AttemptMeasure } from './attempt-meter.ts';
export { notifyQueue } from './dispatch-store.ts';
export { type Dispatcher, type DispatcherOptions, startDispatcher } from './dispatch-webhooks.job.ts';
export { judgeEndpoint, type Probe, type Probed } from './probe.ts';
export { countWorkers, findQueueAge } from './queue-age-store.ts';
export { stopDeliveries } from './stop-deliveries.ts';
export { createWakeUps, type WakeUps } from './wake-ups.ts';
export { startFailureWarnings } from './warn-of-failures.job.ts';
