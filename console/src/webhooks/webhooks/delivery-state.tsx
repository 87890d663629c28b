// Shows the status of a delivery. A waiting delivery whose last attempt failed is shown as failing.
import type { ReactNode } from 'react';
import type { Delivery } from '../../kit/api.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { DELIVERY_TONES } from './delivery-labels.ts';

type DeliveryProgress = Pick<Delivery, 'status' | 'attemptCount'>;

/** A success ends a delivery, so each earlier attempt of a waiting one failed. */
const isFailing = ({ status, attemptCount }: DeliveryProgress): boolean => status === 'pending' && attemptCount > 0;

export function DeliveryState({ delivery }: { delivery: DeliveryProgress }): ReactNode {
  if (isFailing(delivery)) return <StateBadge tone="bad">failing</StateBadge>;
  return <StateBadge tone={DELIVERY_TONES[delivery.status]}>{delivery.status}</StateBadge>;
}
