// Grid of servers and scopes, for a wide screen.
import { Group, ScrollArea, Text } from '@mantine/core';
import { IconCircleCheck, IconClockOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Installation, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Panel } from '../../kit/panel.tsx';
import { SCOPES } from '../../kit/scopes.ts';
import { shorten } from '../../kit/shorten.ts';
import { GrantMenu } from './grant-menu.tsx';
import classes from './installations.module.css';
import type { GrantChange } from './use-installations.ts';

export interface ServersProps {
  servers: Installation[];
  role: Role | undefined;
  pending: GrantChange | undefined;
  onChange: (change: GrantChange) => void;
}

const ROW_PX = 56;

export function InstallationGrid({ servers, ...rest }: ServersProps): ReactNode {
  const columns: Column<Installation>[] = [
    {
      head: 'Server',
      isRowHeader: true,
      cell: ({ serverId, serverName }) => (
        <>
          <Text fw={550} truncate maw={200} title={serverName}>
            {serverName}
          </Text>
          <CopyId value={serverId} label="server id" shown={shorten(serverId)} />
        </>
      ),
    },
    {
      head: 'Installation',
      className: classes.whole,
      cell: (server) => <GrantMenu server={server} isCompact {...rest} />,
    },
    ...SCOPES.map((scope) => ({
      head: scope,
      className: classes.scope,
      cell: (server: Installation) => <GrantMenu server={server} scope={scope} isCompact {...rest} />,
    })),
  ];
  return (
    <Panel>
      <Group gap="md" p="xs" c="dimmed" fz="xs">
        <Group gap={4} className={classes.grant} data-state="authorised">
          <IconCircleCheck size={16} aria-hidden /> authorised
        </Group>
        <Group gap={4}>
          <IconClockOff size={14} aria-hidden /> not used in the last 30 days
        </Group>
      </Group>
      <ScrollArea type="auto">
        <DataTable
          label="Servers and scopes"
          className={classes.grid}
          rowPx={ROW_PX}
          horizontalSpacing={6}
          verticalSpacing={7}
          columns={columns}
          rows={servers}
          rowKey={({ serverId }) => serverId}
        />
      </ScrollArea>
    </Panel>
  );
}
