// Which environment one is in. Production is there to be seen, and says why it cannot be chosen.
import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconLock, IconSelector, IconShip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PRODUCTION_REASON, SANDBOX } from '../../kit/environments.ts';

export function EnvironmentSwitch(): ReactNode {
  return (
    <Menu position="bottom-end" width={290} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconShip size={15} aria-hidden />}
          rightSection={<IconSelector size={14} aria-hidden />}
          aria-label={`Environment: ${SANDBOX.name}`}
        >
          {SANDBOX.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Environment</Menu.Label>
        <Menu.Item leftSection={<IconShip size={15} aria-hidden />} rightSection={<IconCheck size={15} aria-hidden />}>
          {SANDBOX.name}
          <Text fz="xs" c="dimmed">
            {SANDBOX.sentence}
          </Text>
        </Menu.Item>
        <Menu.Item disabled leftSection={<IconLock size={15} aria-hidden />}>
          Production
        </Menu.Item>
        <Text fz="xs" c="dimmed" px="sm" pb={6}>
          {PRODUCTION_REASON}
        </Text>
      </Menu.Dropdown>
    </Menu>
  );
}
