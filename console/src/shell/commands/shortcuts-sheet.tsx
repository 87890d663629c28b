// The sheet of shortcuts, and the switch of those that are a single key.
import { Group, Kbd, Modal, Stack, Switch, Table, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useSingleKeys } from '../../kit/single-keys.ts';
import { SHORTCUTS, useKeyNames } from './shortcuts.ts';

export function ShortcutsSheet({ onClose }: { onClose: () => void }): ReactNode {
  const names: Record<string, string> = { ...useKeyNames() };
  const [areOn, switchTo] = useSingleKeys();
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" returnFocus={false}>
      <Stack>
        {SHORTCUTS.map(({ where, shortcuts }) => (
          <Stack key={where} gap={4}>
            <Title order={3} fz="sm">
              {where}
            </Title>
            <Table aria-label={`Shortcuts: ${where}`} layout="fixed">
              <Table.Tbody>
                {shortcuts.map(({ keys, does }) => (
                  <Table.Tr key={does}>
                    <Table.Th scope="row" fw={400}>
                      {does}
                    </Table.Th>
                    <Table.Td w={130}>
                      <Group gap={4} justify="flex-end">
                        {keys.map((key, at) => (
                          <Fragment key={key}>
                            {at > 0 && '+'}
                            <Kbd>{names[key] ?? key}</Kbd>
                          </Fragment>
                        ))}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Stack>
        ))}
        <Switch
          label="Keys that are pressed alone"
          description="? and /, in this browser. Without them this sheet opens from the command palette."
          checked={areOn}
          onChange={(event) => switchTo(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}
