// Webhooks: endpoints, and events on their way to them, signed, retried and stopped at once when access is lost.
import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { diagnoseSignature } from './diagnose-signature.ts';
import { endPreviousSecret } from './end-previous-secret.ts';
import { exchangeRelays } from './exchange-relays.ts';
import { getAttemptHistogram } from './get-attempt-histogram.ts';
import { getDelivery } from './get-delivery.ts';
import { getEndpoint } from './get-endpoint.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listEndpoints } from './list-endpoints.ts';
import { previewSchemaVersion } from './preview-schema-version.ts';
import { revealSigningSecret } from './reveal-signing-secret.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';
import { sendTestEvent } from './send-test-event.ts';
import type { ExampleData } from './test-event.ts';
import { updateEndpoint } from './update-endpoint.ts';

export const webhookOperations = (exampleData: ExampleData) => [
  listEndpoints,
  createEndpoint,
  getEndpoint,
  getAttemptHistogram,
  updateEndpoint,
  deleteEndpoint,
  previewSchemaVersion,
  sendTestEvent(exampleData),
  exchangeRelays,
  revealSigningSecret,
  rotateSigningSecret,
  endPreviousSecret,
  diagnoseSignature,
  listDeliveries,
  getDelivery,
];
export { cancelDeliveriesOfApp, holdDeliveriesOfApp, releaseDeliveriesOfApp } from './app-stop-store.ts';
export type { AttemptMeasure } from './attempt-meter.ts';
export {
  ATTEMPT_OUTCOMES,
  DELIVERY_STATUSES,
  Delivery,
  type DeliveryAuthorityRow,
  type DeliveryReason,
  type DeliveryStatus,
  deliveryParams,
  exampleDelivery,
  judgeDelivery,
  RedeliveryId,
  toDelivery,
} from './delivery.ts';
export { DELIVERY_HEADERS, type DeliveryHeaders } from './delivery-headers.ts';
export { notifyQueue } from './dispatch-store.ts';
export { type Dispatcher, type DispatcherOptions, startDispatcher } from './dispatch-webhooks.job.ts';
export { EndpointId, endpointParams } from './endpoint.ts';
export { findReceivers } from './enqueue-deliveries.ts';
export { startForgettingSecrets } from './forget-secrets.job.ts';
export { listSigningSecrets, makeEndpoint } from './make-endpoint.ts';
export { findMissingMasterKey, type MissingMasterKey } from './master-key-check.ts';
export { judgeEndpoint, type Probe, type Probed } from './probe.ts';
export { countWorkers, findQueueAge } from './queue-age-store.ts';
export { startResealing } from './reseal.job.ts';
export { countSealed } from './secret-store.ts';
export {
  cancelDeliveriesOfServers,
  countDeliveriesOfServers,
  holdDeliveriesOfServers,
  releaseDeliveriesOfServers,
} from './servers-store.ts';
export { stopDeliveries } from './stop-deliveries.ts';
export { cancelDeliveries, handOnEndpoints, stopEpoch } from './stop-store.ts';
export { deliveryAuthority, findDeliveryRow, findEndpointRow, updateEndpointUrl } from './store.ts';
export { startFailureWarnings } from './warn-of-failures.job.ts';
