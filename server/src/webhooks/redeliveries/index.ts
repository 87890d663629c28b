// Redeliveries: ended deliveries are sent again, one by hand or many as a job.
import { createRedelivery } from './create-redelivery.ts';
import { getRedelivery } from './get-redelivery.ts';
import { listRedeliveries } from './list-redeliveries.ts';
import { redeliverDelivery } from './redeliver-delivery.ts';
import { updateRedelivery } from './update-redelivery.ts';

export const redeliveryOperations = [
  redeliverDelivery,
  listRedeliveries,
  createRedelivery,
  getRedelivery,
  updateRedelivery,
];
export { startRedeliveries } from './run-redeliveries.job.ts';
