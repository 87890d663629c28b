// Shows preset, seed and object counts of the sandbox data.
import { DataList, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppScope, Role, World } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { grouped } from '../../kit/number.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ResetWorld } from './reset-world.tsx';
import { countsOf, PRESET_MEANING } from './world-labels.ts';

export interface WorldProps {
  scope: AppScope;
  role: Role | undefined;
  world: World;
}

export function WorldPanel({ scope, role, world }: WorldProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Stack>
      <SectionHead
        title="Sandbox data"
        action={
          <GuardedButton
            role={role}
            action="world.change"
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={dialog.open}
          >
            Reset the data
          </GuardedButton>
        }
      >
        {OWN_CONTRACT
          ? 'Synthetic objects of this app. The data changes over time, and each change is an event.'
          : 'Synthetic servers of this app with publications, roadmaps, tickets and workflows. The data changes over time, and each change is an event.'}
      </SectionHead>
      <Panel p="lg">
        <Stack gap="lg">
          <SimpleGrid component="ul" cols={{ base: 2, xs: 3, md: 6 }} m={0} p={0} style={{ listStyle: 'none' }}>
            {countsOf(world.counts).map(({ label, count }) => (
              <li key={label}>
                <Text fz={22} fw={620} lh={1.2} style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {grouped(count)}
                </Text>
                <Text c="dimmed" fz="xs">
                  {label}
                </Text>
              </li>
            ))}
          </SimpleGrid>
          <Origin world={world} />
        </Stack>
      </Panel>
      {isOpen && <ResetWorld scope={scope} world={world} onClose={dialog.close} />}
    </Stack>
  );
}

function Origin({ world: { preset, seed, epoch, createdAt } }: { world: World }): ReactNode {
  return (
    <DataList labelWidth={90} gap={6}>
      <DataList.Item>
        <DataList.ItemLabel>Preset</DataList.ItemLabel>
        <DataList.ItemValue>
          <Group gap={8}>
            <Text ff="monospace" fz={12.5}>
              {preset}
            </Text>
            <Text c="dimmed" fz="xs">
              {PRESET_MEANING[preset]}
            </Text>
          </Group>
        </DataList.ItemValue>
      </DataList.Item>
      <DataList.Item>
        <DataList.ItemLabel>Seed</DataList.ItemLabel>
        <DataList.ItemValue>
          <CopyId value={seed} label="seed" />
        </DataList.ItemValue>
      </DataList.Item>
      <DataList.Item>
        <DataList.ItemLabel>Epoch</DataList.ItemLabel>
        <DataList.ItemValue>{epoch}</DataList.ItemValue>
      </DataList.Item>
      <DataList.Item>
        <DataList.ItemLabel>Created</DataList.ItemLabel>
        <DataList.ItemValue>
          <RelativeTime at={createdAt} />
        </DataList.ItemValue>
      </DataList.Item>
    </DataList>
  );
}
