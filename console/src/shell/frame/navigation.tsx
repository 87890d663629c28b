// Navigation links, for the drawer on a phone.
import { Divider, NavLink, type NavLinkProps, Text } from '@mantine/core';
import {
  IconAdjustments,
  IconApps,
  IconBuilding,
  IconListSearch,
  IconSettings,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { useSession } from '../../identity/session/use-session.ts';

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof NavLinkProps>;

const NavigationLink = createLink((props: NavLinkProps & AnchorProps) => <NavLink {...props} />);

interface NavigationProps {
  organisationId: string | undefined;
  onGo: () => void;
}

export function Navigation({ organisationId, onGo }: NavigationProps): ReactNode {
  const { data: session } = useSession();
  return (
    <nav aria-label="Main">
      <Text fz="xs" c="dimmed" fw={600} mb={4}>
        Organisations
      </Text>
      {session?.organisations.map(({ id, name, role }) => (
        <NavigationLink
          key={id}
          to="/in/$organisationId/apps"
          params={{ organisationId: id }}
          onClick={onGo}
          active={id === organisationId}
          label={name}
          description={role}
          leftSection={<IconApps size={16} aria-hidden />}
        />
      ))}
      <Divider my="sm" />
      {organisationId && (
        <>
          <NavigationLink
            to="/organisations/$organisationId/team"
            params={{ organisationId }}
            onClick={onGo}
            label="Team and access tokens"
            leftSection={<IconUsers size={16} aria-hidden />}
          />
          <NavigationLink
            to="/organisations/$organisationId/audit"
            params={{ organisationId }}
            onClick={onGo}
            label="Audit log"
            leftSection={<IconListSearch size={16} aria-hidden />}
          />
          <NavigationLink
            to="/organisations/$organisationId/settings"
            params={{ organisationId }}
            onClick={onGo}
            label="Settings of the organisation"
            leftSection={<IconSettings size={16} aria-hidden />}
          />
        </>
      )}
      <NavigationLink
        to="/organisations"
        onClick={onGo}
        label="All organisations"
        leftSection={<IconBuilding size={16} aria-hidden />}
      />
      <NavigationLink to="/account" onClick={onGo} label="Account" leftSection={<IconUser size={16} aria-hidden />} />
      {session?.isOperator && (
        <NavigationLink
          to="/operator/organisations"
          onClick={onGo}
          label="Operator"
          leftSection={<IconAdjustments size={16} aria-hidden />}
        />
      )}
    </nav>
  );
}
