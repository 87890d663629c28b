// The table of deliveries. A row opens its drawer; with the keyboard, its event does.
import { Table, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from '../../inspector/requests/requests.module.css';
import type { AppScope, Delivery } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { When } from '../../kit/when.tsx';
import { type RowProps, rowCount, WindowRows } from '../../kit/window-rows.tsx';
import { DELIVERY_TONES } from './delivery-words.ts';
import type { WebhooksSearch } from './search.ts';

interface DeliveryTableProps {
  deliveries: Delivery[];
  scope: AppScope;
  search: WebhooksSearch;
}

/** As requests.module.css has it. */
const ROW_PX = 38;

export function DeliveryTable({ deliveries, scope, search }: DeliveryTableProps): ReactNode {
  return (
    <Table aria-label="Deliveries" {...rowCount(deliveries)} layout="fixed" className={classes.table ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" w={142}>
            Status
          </Table.Th>
          <Table.Th scope="col">Event</Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            Endpoint
          </Table.Th>
          <Table.Th scope="col" w={90} ta="right" visibleFrom="sm">
            Attempts
          </Table.Th>
          <Table.Th scope="col" w={90} visibleFrom="sm">
            Answer
          </Table.Th>
          <Table.Th scope="col" w={128} visibleFrom="sm">
            Created
          </Table.Th>
          <Table.Th scope="col" w={150} visibleFrom="lg">
            Delivery id
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <WindowRows items={deliveries} height={ROW_PX}>
        {(one, row) => <DeliveryRow key={one.id} {...row} delivery={one} scope={scope} search={search} />}
      </WindowRows>
    </Table>
  );
}

interface DeliveryRowProps extends RowProps {
  delivery: Delivery;
  scope: AppScope;
  search: WebhooksSearch;
}

function DeliveryRow({ delivery, scope, search, ...row }: DeliveryRowProps): ReactNode {
  const navigate = useNavigate();
  const to = '/in/$organisationId/apps/$appId/webhooks';
  const open = { search: { ...search, delivery: delivery.id }, resetScroll: false };
  return (
    <Table.Tr
      {...row}
      className={classes.row ?? ''}
      data-open={search.delivery === delivery.id || undefined}
      onClick={() => void navigate({ to, params: scope, ...open })}
    >
      <Table.Td>
        <StateBadge tone={DELIVERY_TONES[delivery.status]}>{delivery.status}</StateBadge>
      </Table.Td>
      <Table.Td>
        <Link
          to={to}
          params={scope}
          {...open}
          className={classes.path ?? ''}
          onClick={(event) => event.stopPropagation()}
        >
          {delivery.eventType ?? 'no longer kept'}
        </Link>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text truncate title={delivery.endpointUrl ?? ''}>
          {delivery.endpointUrl ?? 'deleted'}
        </Text>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {delivery.attemptCount}
      </Table.Td>
      <Table.Td visibleFrom="sm" ff="monospace" fz={13}>
        {delivery.lastStatus ?? '–'}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={delivery.createdAt} />
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <CopyId value={delivery.id} label="delivery id" shown={shorten(delivery.id)} />
      </Table.Td>
    </Table.Tr>
  );
}
