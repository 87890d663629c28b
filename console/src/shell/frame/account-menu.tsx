// Menu with the signed-in person, the account page, and sign-out.
import { ActionIcon, Avatar, Menu, Text, VisuallyHidden } from '@mantine/core';
import { IconAdjustments, IconBook, IconLogout, IconUser } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../identity/session/use-session.ts';
import { useSignOut } from '../../identity/session/use-sign-out.ts';

export function AccountMenu(): ReactNode {
  const { data: session } = useSession();
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="transparent" size="lg">
          {/* As content, because the name of the button must contain the initials, which are its visible text. */}
          <VisuallyHidden>Your account</VisuallyHidden>
          <Avatar size={28} name={session?.person.name ?? ''} color="tide" variant="filled" alt="" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {session && (
          <Menu.Label>
            <Text fw={550} truncate c="var(--mantine-color-text)">
              {session.person.name}
            </Text>
            <Text fz="xs" truncate>
              {session.person.email}
            </Text>
          </Menu.Label>
        )}
        <Menu.Item leftSection={<IconUser size={15} aria-hidden />} onClick={() => void navigate({ to: '/account' })}>
          Account
        </Menu.Item>
        {session?.isOperator && (
          <Menu.Item
            leftSection={<IconAdjustments size={15} aria-hidden />}
            onClick={() => void navigate({ to: '/operator/organisations' })}
          >
            Operator
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/docs/" leftSection={<IconBook size={15} aria-hidden />}>
          Documentation
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
