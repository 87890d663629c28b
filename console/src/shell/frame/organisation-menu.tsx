// Shows the current organisation and switches to another.
import { Button, Menu, Text } from '@mantine/core';
import { IconBuilding, IconCheck, IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../identity/session/use-session.ts';

const PAGES = [
  ['/organisations/$organisationId/team', 'Team and access tokens'],
  ['/organisations/$organisationId/audit', 'Audit log'],
  ['/organisations/$organisationId/settings', 'Settings of the organisation'],
] as const;

export function OrganisationMenu({ organisationId }: { organisationId: string | undefined }): ReactNode {
  const { data: session } = useSession();
  const navigate = useNavigate();
  const current = session?.organisations.find((one) => one.id === organisationId);
  if (!session || session.organisations.length === 0) return null;
  return (
    <Menu position="bottom-start" width={260} withinPortal={false}>
      <Menu.Target>
        <Button variant="subtle" color="gray" px={8} rightSection={<IconSelector size={14} aria-hidden />}>
          <Text component="span" fw={550} maw={220} truncate c="var(--mantine-color-text)">
            {current?.name ?? 'Organisations'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Organisations</Menu.Label>
        {session.organisations.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            leftSection={<IconBuilding size={15} aria-hidden />}
            rightSection={id === organisationId ? <IconCheck size={15} aria-label="current" /> : undefined}
            onClick={() => void navigate({ to: '/in/$organisationId/apps', params: { organisationId: id } })}
          >
            <Text truncate>{name}</Text>
            <Text fz="xs" c="dimmed">
              {role}
            </Text>
          </Menu.Item>
        ))}
        <Menu.Divider />
        {current &&
          PAGES.map(([to, label]) => (
            <Menu.Item key={to} onClick={() => void navigate({ to, params: { organisationId: current.id } })}>
              {label}
            </Menu.Item>
          ))}
        <Menu.Item onClick={() => void navigate({ to: '/organisations' })}>All organisations</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
