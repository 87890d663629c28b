// Which environment one is in. Production is there to be seen, and says why it cannot be chosen.
import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconLock, IconSelector } from '@tabler/icons-react';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ENVIRONMENTS, environmentOf, PRODUCTION_REASON, SANDBOX } from '../../kit/environments.ts';
import { ICONS } from './environment-frame.tsx';

export function EnvironmentSwitch(): ReactNode {
  const navigate = useNavigate();
  // What belongs to none is left for the sandbox, which is all that there is.
  const current = useRouterState({ select: (state) => environmentOf(state.location.pathname) ?? 'sandbox' });
  const Icon = ICONS[current];
  return (
    <Menu position="bottom-end" width={290} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon size={15} aria-hidden />}
          rightSection={<IconSelector size={14} aria-hidden />}
          aria-label={`Environment: ${ENVIRONMENTS[current].name}`}
        >
          {ENVIRONMENTS[current].name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Environment</Menu.Label>
        <Menu.Item
          leftSection={<ICONS.sandbox size={15} aria-hidden />}
          rightSection={current === 'sandbox' && <IconCheck size={15} aria-hidden />}
          {...(current !== 'sandbox' && { onClick: () => void navigate({ to: '/' }) })}
        >
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
