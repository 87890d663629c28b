// Lists the keyboard shortcuts, with a switch for single keys.
import { Group, Kbd, Modal, Stack, Switch, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { useSingleKeys } from '../../kit/single-keys.ts';
import { SHORTCUTS, useKeyNames } from './shortcuts.ts';

export function ShortcutsSheet({ onClose }: { onClose: () => void }): ReactNode {
  const names: Record<string, string> = { ...useKeyNames() };
  const [areOn, switchTo] = useSingleKeys();
  const columns: Column<(typeof SHORTCUTS)[number]['shortcuts'][number]>[] = [
    { head: 'Action', isRowHeader: true, cell: ({ does }) => does },
    {
      head: 'Keys',
      w: 130,
      cell: ({ keys }) => (
        <Group gap={4} justify="flex-end">
          {keys.map((key, at) => (
            <Fragment key={key}>
              {at > 0 && '+'}
              <Kbd>{names[key] ?? key}</Kbd>
            </Fragment>
          ))}
        </Group>
      ),
    },
  ];
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" returnFocus={false}>
      <Stack>
        {SHORTCUTS.map(({ where, shortcuts }) => (
          <Stack key={where} gap={4}>
            <Title order={3} fz="sm">
              {where}
            </Title>
            <DataTable
              label={`Shortcuts: ${where}`}
              isHeadless
              layout="fixed"
              columns={columns}
              rows={shortcuts}
              rowKey={({ does }) => does}
            />
          </Stack>
        ))}
        <Switch
          label="Single-key shortcuts"
          description="The keys ?, /, j and k, in this browser. Without them, open this list from the command palette."
          checked={areOn}
          onChange={(event) => switchTo(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}
