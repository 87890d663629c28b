// Servers by scopes, for a wide screen.
import { ScrollArea, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Installation, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { Panel } from '../../kit/panel.tsx';
import { SCOPES } from '../../kit/scopes.ts';
import { shorten } from '../../kit/shorten.ts';
import { rowCount, WindowRows } from '../../kit/window-rows.tsx';
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
  return (
    <Panel>
      <ScrollArea type="auto">
        <Table
          aria-label="Servers and scopes"
          {...rowCount(servers)}
          className={classes.grid}
          horizontalSpacing={6}
          verticalSpacing={7}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Server</Table.Th>
              <Table.Th scope="col" className={classes.whole}>
                Installation
              </Table.Th>
              {SCOPES.map((scope) => (
                <Table.Th key={scope} scope="col" ff="monospace" fz={11.5} fw={550}>
                  {scope}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <WindowRows items={servers} height={ROW_PX}>
            {(server, row) => (
              <Table.Tr key={server.serverId} {...row}>
                <Table.Th scope="row" maw={200}>
                  <Text fw={550} truncate title={server.serverName}>
                    {server.serverName}
                  </Text>
                  <CopyId value={server.serverId} label="server id" shown={shorten(server.serverId)} />
                </Table.Th>
                <Table.Td className={classes.whole}>
                  <GrantMenu server={server} {...rest} />
                </Table.Td>
                {SCOPES.map((scope) => (
                  <Table.Td key={scope}>
                    <GrantMenu server={server} scope={scope} {...rest} />
                  </Table.Td>
                ))}
              </Table.Tr>
            )}
          </WindowRows>
        </Table>
      </ScrollArea>
    </Panel>
  );
}
