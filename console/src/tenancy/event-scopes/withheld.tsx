// Shows the events that the rule about the scopes of events would withhold: the missing grants, and the newest events
// with their deliveries.
import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { AppScope, EventScopes } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { counted, grouped } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { RELATIVE_TIME_WIDTH, RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge, Tag, type Tone } from '../../kit/state-badge.tsx';

type MissingGrant = EventScopes['grants'][number];
type WithheldEvent = EventScopes['newest'][number];

const GRANT_STATES: Record<MissingGrant['grant'], { tone: Tone; label: string }> = {
  absent: { tone: 'none', label: 'not granted' },
  paused: { tone: 'warning', label: 'paused' },
  revoked: { tone: 'bad', label: 'revoked' },
  not_approved: { tone: 'waiting', label: 'not approved' },
};
const FIRST_EVENTS = 5;

const GRANT_COLUMNS: Column<MissingGrant>[] = [
  { head: 'Server', cell: ({ serverName }) => serverName, wraps: true },
  { head: 'Missing scope', w: 172, cell: ({ scope }) => <Tag isCode>{scope}</Tag> },
  {
    head: 'Grant',
    w: 150,
    from: 'sm',
    fold: ({ grant }) => GRANT_STATES[grant].label,
    cell: ({ grant }) => <StateBadge tone={GRANT_STATES[grant].tone}>{GRANT_STATES[grant].label}</StateBadge>,
  },
  {
    head: 'Events',
    w: 90,
    align: 'right',
    from: 'sm',
    fold: ({ events }) => counted(events, 'event'),
    cell: ({ events }) => grouped(events),
  },
  { head: 'Latest', w: RELATIVE_TIME_WIDTH, from: 'sm', cell: ({ latestAt }) => <RelativeTime at={latestAt} /> },
];

export function MissingGrants({ grants }: { grants: readonly MissingGrant[] }): ReactNode {
  return (
    <Panel>
      <DataTable
        label="Missing scopes"
        layout="fixed"
        columns={GRANT_COLUMNS}
        rows={grants}
        rowKey={({ serverId, scope }) => `${serverId} ${scope}`}
      />
    </Panel>
  );
}

export function WithheldEvents({ scope, rule }: { scope: AppScope; rule: EventScopes }): ReactNode {
  const [isWhole, whole] = useDisclosure(false);
  const { newest, events } = rule;
  const shown = isWhole ? newest : newest.slice(0, FIRST_EVENTS);
  const names = new Map(rule.grants.map(({ serverId, serverName }) => [serverId, serverName]));
  const nameOf = ({ serverId }: WithheldEvent): string => names.get(serverId) ?? shorten(serverId);
  const columns: Column<WithheldEvent>[] = [
    { head: 'Event', cell: ({ type }) => type, wraps: true },
    { head: 'Server', from: 'sm', fold: true, cell: nameOf, wraps: true },
    {
      head: 'Deliveries',
      w: { base: 150, sm: 172 },
      cell: ({ deliveryIds }) => <Deliveries scope={scope} ids={deliveryIds} />,
    },
    {
      head: 'Created',
      w: RELATIVE_TIME_WIDTH,
      from: 'sm',
      fold: true,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ];
  return (
    <Stack gap="xs">
      <Panel>
        <DataTable
          label="Newest withheld events"
          layout="fixed"
          columns={columns}
          rows={shown}
          rowKey={({ eventId }) => eventId}
        />
      </Panel>
      {events > newest.length && (
        <Text c="dimmed" fz="xs">
          The newest {newest.length} of {counted(events, 'event')} are listed.
        </Text>
      )}
      {newest.length > FIRST_EVENTS && (
        <Button variant="default" size="xs" w="fit-content" aria-expanded={isWhole} onClick={whole.toggle}>
          {isWhole ? 'Show fewer' : `Show ${newest.length} events`}
        </Button>
      )}
    </Stack>
  );
}

function Deliveries({ scope, ids }: { scope: AppScope; ids: readonly string[] }): ReactNode {
  if (ids.length === 0) return <Text c="dimmed">none</Text>;
  return ids.map((delivery) => (
    <AnchorLink
      key={delivery}
      to="/in/$organisationId/apps/$appId/webhooks"
      params={scope}
      search={{ delivery }}
      display="block"
      ff="monospace"
      fz={13}
    >
      {shorten(delivery)}
    </AnchorLink>
  ));
}
