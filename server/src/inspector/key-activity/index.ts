// The activity of a key: everything that was done with it, by the records of requests, events and deliveries.
import { getKeyActivity } from './get-key-activity.ts';

export const keyActivityOperations = [getKeyActivity];
