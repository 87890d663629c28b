// The log as a file, under the filters of the page: as lines that can be verified, or as a table.
import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { wordsOf } from '../../kit/mends.ts';
import { saveFile } from '../../kit/save-file.ts';
import type { AuditFilter } from './search.ts';

const PATIENCE_MS = 600_000;

const FORMS = {
  ndjson: {
    label: 'Lines of JSON (NDJSON)',
    about: 'Whole, it can be verified with slipway-server audit-verify.',
    type: 'application/x-ndjson',
    load: api.exportAuditLog,
  },
  csv: {
    label: 'Table (CSV)',
    about: 'For a spreadsheet; it cannot be verified.',
    type: 'text/csv',
    load: api.exportAuditTable,
  },
} as const;

type Form = keyof typeof FORMS;

export function AuditExport({ organisationId, filter }: { organisationId: string; filter: AuditFilter }): ReactNode {
  const save = useMutation({
    mutationFn: (form: Form) => FORMS[form].load({ organisationId, ...filter }, { timeoutMs: PATIENCE_MS }),
    gcTime: 0, // it may be long
    onSuccess: (text, form) => saveFile(`audit-log.${form}`, text, FORMS[form].type),
    onError: (error) => {
      const { title, mend } = wordsOf(error);
      notifications.show({ color: 'red', title: `Not exported: ${title}`, message: mend, autoClose: false });
    },
  });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Menu position="bottom-end" width={300} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          loading={save.isPending}
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{isFiltered ? 'What fits the filters, as' : 'The whole log, as'}</Menu.Label>
        {(['ndjson', 'csv'] as const).map((form) => (
          <Menu.Item key={form} onClick={() => save.mutate(form)}>
            {FORMS[form].label}
            <Text fz="xs" c="dimmed">
              {FORMS[form].about}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
