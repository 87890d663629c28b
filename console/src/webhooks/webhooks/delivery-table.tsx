// Table of deliveries. A click on a row opens its drawer on the same page; for the keyboard the event does.
import { Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import classes from '../../inspector/requests/requests.module.css';
import type { Delivery } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { DeliveryState } from './delivery-state.tsx';
import { toDelivery } from './search.ts';

interface DeliveryTableProps {
  deliveries: Delivery[];
  openId: string | undefined;
  /** True if all deliveries belong to the endpoint of the page. */
  isOfEndpoint: boolean;
}

export function DeliveryTable({ deliveries, openId, isOfEndpoint }: DeliveryTableProps): ReactNode {
  const navigate = useNavigate();
  const { columns, onOpen } = useMemo(() => {
    const endpoint: Column<Delivery> = {
      head: 'Endpoint',
      from: 'md',
      cell: ({ endpointUrl }) => (
        <Text truncate title={endpointUrl ?? ''}>
          {endpointUrl ?? 'deleted'}
        </Text>
      ),
    };
    const nextAttempt: Column<Delivery> = {
      head: 'Next attempt',
      w: 150,
      from: 'md',
      cell: ({ nextAttemptAt }) => nextAttemptAt && <RelativeTime at={nextAttemptAt} />,
    };
    const list: Column<Delivery>[] = [
      { head: 'Status', w: 142, cell: (delivery) => <DeliveryState delivery={delivery} /> },
      {
        head: 'Event',
        isMain: true,
        cell: ({ id, eventType }) => (
          <Link {...toDelivery(id)} className={classes.path ?? ''} onClick={(event) => event.stopPropagation()}>
            {eventType ?? 'no longer kept'}
          </Link>
        ),
      },
      isOfEndpoint ? nextAttempt : endpoint,
      { head: 'Attempts', w: 90, align: 'right', from: 'sm', cell: ({ attemptCount }) => attemptCount },
      {
        head: 'Response',
        w: 90,
        from: 'sm',
        isMono: true,
        cell: ({ lastStatus }) => lastStatus ?? '–',
      },
      {
        head: 'Created',
        w: 128,
        from: 'sm',
        fold: ({ createdAt, endpointUrl }) => (
          <Text truncate inherit>
            <RelativeTime at={createdAt} />
            {!isOfEndpoint && `, ${endpointUrl?.replace(/^https?:\/\//, '') ?? 'deleted endpoint'}`}
          </Text>
        ),
        cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      },
      {
        head: 'Delivery id',
        w: 150,
        from: 'lg',
        cell: ({ id }) => <CopyId value={id} label="delivery id" shown={shorten(id)} />,
      },
    ];
    return { columns: list, onOpen: ({ id }: Delivery) => void navigate(toDelivery(id)) };
  }, [isOfEndpoint, navigate]);
  return (
    <DataTable
      label="Deliveries"
      isDense
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      isOpen={({ id }) => openId === id}
    />
  );
}
