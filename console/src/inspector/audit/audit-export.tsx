// Exports the log under the filters of the page: as verifiable lines, or as a table.
import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { ExportItem } from '../../kit/export-item.tsx';
import type { AuditFilter } from './search.ts';

export function AuditExport({ organisationId, filter }: { organisationId: string; filter: AuditFilter }): ReactNode {
  const input = { organisationId, ...filter };
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Menu position="bottom-end" width={300} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{isFiltered ? 'Filtered entries as' : 'All entries as'}</Menu.Label>
        <ExportItem
          title="Lines of JSON (NDJSON)"
          file="audit-log.ndjson"
          href={api.addressOf('exportAuditLog', input)}
        >
          A complete export can be verified with slipway-server audit-verify.
        </ExportItem>
        <ExportItem title="Table (CSV)" file="audit-log.csv" href={api.addressOf('exportAuditTable', input)}>
          For a spreadsheet. It cannot be verified.
        </ExportItem>
      </Menu.Dropdown>
    </Menu>
  );
}
