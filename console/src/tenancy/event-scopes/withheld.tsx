// Shows the events that the rule about the scopes of events would withhold: the missing grants, and the newest events with their
// deliveries.
import { Button, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { AppScope, EventScopes } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { counted, grouped } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge, Tag, type Tone } from '../../kit/state-badge.tsx';
import { WHEN_WIDTH, When } from '../../kit/when.tsx';

type MissingGrant = EventScopes['grants'][number];
type WithheldEvent = EventScopes['newest'][number];

const GRANT_STATES: Record<MissingGrant['grant'], { tone: Tone; label: string }> = {
  absent: { tone: 'none', label: 'not granted' },
  paused: { tone: 'warning', label: 'paused' },
  revoked: { tone: 'bad', label: 'revoked' },
  not_approved: { tone: 'waiting', label: 'not approved' },
};
const FIRST_EVENTS = 5;

export function MissingGrants({ grants }: { grants: readonly MissingGrant[] }): ReactNode {
  return (
    <Panel>
      <Table aria-label="Missing scopes" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Server</Table.Th>
            <Table.Th scope="col" w={172}>
              Missing scope
            </Table.Th>
            <Table.Th scope="col" w={150} visibleFrom="sm">
              Grant
            </Table.Th>
            <Table.Th scope="col" w={90} ta="right" visibleFrom="sm">
              Events
            </Table.Th>
            <Table.Th scope="col" w={WHEN_WIDTH} visibleFrom="sm">
              Latest
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {grants.map((grant) => (
            <GrantRow key={`${grant.serverId} ${grant.scope}`} subject={grant} />
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

function GrantRow({ subject }: { subject: MissingGrant }): ReactNode {
  const { tone, label } = GRANT_STATES[subject.grant];
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {subject.serverName}
        <Text c="dimmed" fz="xs" hiddenFrom="sm">
          {counted(subject.events, 'event')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Tag isCode>{subject.scope}</Tag>
        <Text c="dimmed" fz="xs" hiddenFrom="sm">
          {label}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <StateBadge tone={tone}>{label}</StateBadge>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {grouped(subject.events)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={subject.latestAt} />
      </Table.Td>
    </Table.Tr>
  );
}

export function WithheldEvents({ scope, rule }: { scope: AppScope; rule: EventScopes }): ReactNode {
  const [isWhole, whole] = useDisclosure(false);
  const { newest, events } = rule;
  const shown = isWhole ? newest : newest.slice(0, FIRST_EVENTS);
  const names = new Map(rule.grants.map(({ serverId, serverName }) => [serverId, serverName]));
  return (
    <Stack gap="xs">
      <Panel>
        <Table aria-label="Newest withheld events" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Event</Table.Th>
              <Table.Th scope="col" visibleFrom="sm">
                Server
              </Table.Th>
              <Table.Th scope="col" w={{ base: 150, sm: 172 }}>
                Deliveries
              </Table.Th>
              <Table.Th scope="col" w={WHEN_WIDTH} visibleFrom="sm">
                Created
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((event) => (
              <EventRow
                key={event.eventId}
                scope={scope}
                event={event}
                serverName={names.get(event.serverId) ?? shorten(event.serverId)}
              />
            ))}
          </Table.Tbody>
        </Table>
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

interface EventRowProps {
  scope: AppScope;
  event: WithheldEvent;
  serverName: string;
}

function EventRow({ scope, event, serverName }: EventRowProps): ReactNode {
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {event.type}
        <Text c="dimmed" fz="xs" hiddenFrom="sm">
          {serverName}, <When at={event.createdAt} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
        {serverName}
      </Table.Td>
      <Table.Td>
        {event.deliveryIds.length === 0 && <Text c="dimmed">none</Text>}
        {event.deliveryIds.map((delivery) => (
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
        ))}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={event.createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}
