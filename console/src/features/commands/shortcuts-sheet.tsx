// The sheet of shortcuts.
import { Group, Kbd, Modal, Stack, Table, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { SHORTCUTS, useKeyNames } from './shortcuts.ts';

export function ShortcutsSheet({ onClose }: { onClose: () => void }): ReactNode {
  const names: Record<string, string> = { ...useKeyNames() };
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
      </Stack>
    </Modal>
  );
}
