// Follows a delivery that this page has sent: its status, the response of the receiver, and a link.
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { describeOutcome, reasonSentence } from './delivery-labels.ts';
import { DeliveryState } from './delivery-state.tsx';
import { useDelivery } from './use-deliveries.ts';

export function SentDelivery({ scope, deliveryId }: { scope: AppScope; deliveryId: string }): ReactNode {
  const { data } = useDelivery(scope, deliveryId);
  const last = data?.attempts.at(-1);
  return (
    <Group gap="xs" role="status" mih={22}>
      {data && <DeliveryState delivery={data} />}
      {last && <Text>{describeOutcome(last)}</Text>}
      {data && data.reason !== null && <Text>{reasonSentence(data.reason)}</Text>}
      <AnchorLink to="/in/$organisationId/apps/$appId/webhooks" params={scope} search={{ delivery: deliveryId }}>
        Show delivery
      </AnchorLink>
    </Group>
  );
}
