// Webhooks: endpoints with their secrets, and the deliveries to them with status and outcome. The feature `dispatch`
// sends them.
import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { diagnoseSignature } from './diagnose-signature.ts';
import { endPreviousSecret } from './end-previous-secret.ts';
import { getAttemptHistogram } from './get-attempt-histogram.ts';
import { getDelivery } from './get-delivery.ts';
import { getEndpoint } from './get-endpoint.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listEndpoints } from './list-endpoints.ts';
import { previewFilter } from './preview-filter.ts';
import { previewSchemaVersion } from './preview-schema-version.ts';
import { revealSigningSecret } from './reveal-signing-secret.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';
import { sendEvent } from './send-event.ts';
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
  previewFilter,
  sendTestEvent(exampleData),
  sendEvent,
  revealSigningSecret,
  rotateSigningSecret,
  endPreviousSecret,
  diagnoseSignature,
  listDeliveries,
  getDelivery,
];
export { cancelDeliveriesOfKey, incrementStopEpoch, stopEpoch } from './access-change-store.ts';
export {
  cancelDeliveriesOfApp,
  cancelDeliveriesOfScopes,
  holdDeliveriesOfApp,
  releaseDeliveriesOfApp,
} from './app-access-store.ts';
export { ATTEMPT_OUTCOMES, type AttemptOutcome, SLIPWAY_OUTCOMES } from './attempt.ts';
export { isBodyGranted } from './body-access-store.ts';
export { customHeadersOf } from './custom-headers.ts';
export {
  authoriseDelivery,
  DELIVERY_STATUSES,
  Delivery,
  type DeliveryAuthorityRow,
  DeliveryId,
  type DeliveryReason,
  type DeliveryStatus,
  deliveryParams,
  exampleDelivery,
  RedeliveryId,
} from './delivery.ts';
export { DELIVERY_HEADERS, type DeliveryHeaders } from './delivery-headers.ts';
export { EndpointId, type EndpointRow, endpointParams, receivedTypes } from './endpoint.ts';
export {
  type Condition,
  conditions,
  eventTypes,
  exampleConditions,
  expandTypes,
  isKept,
  serverIds,
  toServerUuids,
  validateFilter,
} from './endpoint-filter.ts';
export {
  type ContinuingEndpointRow,
  DELIVERY_KEY_STATE,
  deliveringKeyId,
  hasEndpoints,
  keysEndAt,
  listContinuingEndpoints,
  moveEndpointsToKey,
} from './endpoint-keys-store.ts';
export { createDeliveryPreparer } from './enqueue-store.ts';
export { startErasingSecrets } from './erase-secrets.job.ts';
export type { HandOff, OfferedDelivery, Reservation } from './hand-off.ts';
export { type HealthOutcomes, mergeHealthOutcomes, toHealthOutcomes } from './health.ts';
export { isListener } from './listener.ts';
export { listSigningSecrets, makeEndpoint } from './make-endpoint.ts';
export { findMissingMasterKey, type MissingMasterKey } from './master-key-check.ts';
export { startResealing } from './reseal.job.ts';
export { earlierKeys } from './sealed-columns.ts';
export { countSealed, LIVE_PREVIOUS_SECRET } from './secret-store.ts';
export { isUnderWay, lockEndpoint } from './send-event-store.ts';
export {
  type ChangeCause,
  cancelDeliveriesOfServers,
  countDeliveriesOfServers,
  holdDeliveriesOfServers,
  releaseDeliveriesOfServers,
  type ServerGrant,
} from './server-grants-store.ts';
export { openSecrets, type SealedSecretsRow } from './signing-secret.ts';
export { deliveryAuthority, findEndpointRow, listEndpointRows, readDelivery, updateEndpointUrl } from './store.ts';
export { validateServers } from './validate-settings.ts';
