// A card for each server, for a phone. A closed card summarises the grants; an open one lists them.
import { Accordion, Divider, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Installation } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { SCOPES } from '../../kit/scopes.ts';
import { StateBadge, type Tone } from '../../kit/state-badge.tsx';
import { useWindowed } from '../../kit/use-windowed.ts';
import { type ShownState, stateOf } from './grant-labels.ts';
import { GrantMenu } from './grant-menu.tsx';
import type { ServersProps } from './installation-grid.tsx';
import classes from './installations.module.css';

/** Height of a closed card with its gap, in pixels. */
const CARD_PX = 88;

export function InstallationCards({ servers, ...rest }: ServersProps): ReactNode {
  const { hold, drawn, gaps } = useWindowed(servers, CARD_PX);
  return (
    <Accordion
      multiple
      variant="separated"
      keepMounted={false}
      defaultValue={servers.slice(0, 1).map((one) => one.serverId)}
    >
      <ul aria-label="Servers" ref={hold} className={classes.cards}>
        {gaps && <li aria-hidden style={{ height: gaps.before }} />}
        {drawn.map(({ item: server, index, props }) => (
          <li
            key={server.serverId}
            {...props}
            aria-setsize={servers.length}
            aria-posinset={index + 1}
            className={classes.cardRow}
          >
            <Card server={server} {...rest} />
          </li>
        ))}
        {gaps && <li aria-hidden style={{ height: gaps.after }} />}
      </ul>
    </Accordion>
  );
}

type CardProps = Omit<ServersProps, 'servers'> & { server: Installation };

function Card({ server, ...rest }: CardProps): ReactNode {
  return (
    <Accordion.Item value={server.serverId} className={classes.card ?? ''}>
      <Accordion.Control>
        <CardHead server={server} />
      </Accordion.Control>
      <Accordion.Panel>
        <CopyId value={server.serverId} label="server id" />
        <Group justify="space-between" mt="xs" wrap="nowrap">
          <Text fw={550}>Whole installation</Text>
          <GrantMenu server={server} {...rest} />
        </Group>
        <Divider my={6} />
        {SCOPES.map((scope) => (
          <Group key={scope} justify="space-between" wrap="nowrap" mih={38}>
            <Text ff="monospace" fz={13}>
              {scope}
            </Text>
            <GrantMenu server={server} scope={scope} {...rest} />
          </Group>
        ))}
      </Accordion.Panel>
    </Accordion.Item>
  );
}

const TONES: Record<ShownState, Tone> = { authorised: 'good', paused: 'warning', revoked: 'bad', never: 'none' };

function CardHead({ server }: { server: Installation }): ReactNode {
  const state = stateOf(server);
  const authorised = SCOPES.filter((scope) => stateOf(server, scope) === 'authorised').length;
  return (
    <Stack gap={4}>
      <Text component="span" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {server.serverName}
      </Text>
      <Group component="span" gap="xs">
        <StateBadge tone={TONES[state]}>{server.isOverCap ? 'over the limit' : state}</StateBadge>
        <Text component="span" fz="xs" c="dimmed">
          {authorised} of {SCOPES.length} scopes authorised
        </Text>
      </Group>
    </Stack>
  );
}
