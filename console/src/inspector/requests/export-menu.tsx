// Exports the requests that match the current filters.
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type AppScope, api, type RequestFilters } from '../../kit/api.ts';
import { ExportItem } from '../../kit/export-item.tsx';
import { CONTENT_ID } from '../../kit/panel.tsx';

export function ExportMenu({ scope, filters }: { scope: AppScope; filters: RequestFilters }): ReactNode {
  const input = { ...scope, ...filters };
  return (
    <Menu position="bottom-end" width={270} portalProps={{ target: `#${CONTENT_ID}` }}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All matching requests, newest first</Menu.Label>
        <ExportItem title="NDJSON" file="requests.ndjson" href={api.addressOf('exportRequests', input)}>
          One line of JSON per request
        </ExportItem>
        <ExportItem title="CSV" file="requests.csv" href={api.addressOf('exportRequestTable', input)}>
          A table for a spreadsheet
        </ExportItem>
      </Menu.Dropdown>
    </Menu>
  );
}
