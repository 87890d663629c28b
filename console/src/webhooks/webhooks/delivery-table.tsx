// Table of deliveries. A click on a row opens its drawer; for the keyboard the event does.
import { Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import classes from '../../inspector/requests/requests.module.css';
import type { AppScope, Delivery } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { DELIVERY_TONES } from './delivery-labels.ts';
import type { WebhooksSearch } from './search.ts';

interface DeliveryTableProps {
  deliveries: Delivery[];
  scope: AppScope;
  search: WebhooksSearch;
}

export function DeliveryTable({ deliveries, scope, search }: DeliveryTableProps): ReactNode {
  const navigate = useNavigate();
  const { organisationId, appId } = scope;
  const { columns, onOpen } = useMemo(() => {
    const toDelivery = (id: string) =>
      ({
        to: '/in/$organisationId/apps/$appId/webhooks',
        params: { organisationId, appId },
        search: { ...search, delivery: id },
        resetScroll: false,
      }) as const;
    const list: Column<Delivery>[] = [
      { head: 'Status', w: 142, cell: ({ status }) => <StateBadge tone={DELIVERY_TONES[status]}>{status}</StateBadge> },
      {
        head: 'Event',
        isMain: true,
        cell: ({ id, eventType }) => (
          <Link {...toDelivery(id)} className={classes.path ?? ''} onClick={(event) => event.stopPropagation()}>
            {eventType ?? 'no longer kept'}
          </Link>
        ),
      },
      {
        head: 'Endpoint',
        from: 'md',
        cell: ({ endpointUrl }) => (
          <Text truncate title={endpointUrl ?? ''}>
            {endpointUrl ?? 'deleted'}
          </Text>
        ),
      },
      { head: 'Attempts', w: 90, align: 'right', from: 'sm', cell: ({ attemptCount }) => attemptCount },
      {
        head: 'Response',
        w: 90,
        from: 'sm',
        isMono: true,
        cell: ({ lastStatus }) => lastStatus ?? '–',
      },
      { head: 'Created', w: 128, from: 'sm', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
      {
        head: 'Delivery id',
        w: 150,
        from: 'lg',
        cell: ({ id }) => <CopyId value={id} label="delivery id" shown={shorten(id)} />,
      },
    ];
    return { columns: list, onOpen: ({ id }: Delivery) => void navigate(toDelivery(id)) };
  }, [search, organisationId, appId, navigate]);
  return (
    <DataTable
      label="Deliveries"
      isDense
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      isOpen={({ id }) => search.delivery === id}
    />
  );
}
