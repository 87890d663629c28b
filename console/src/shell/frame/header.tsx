// The header: location, environment and account. On a phone, navigation is in a drawer.
import { Box, Burger, Divider, Drawer, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { NoticesBell } from '../../platform/notices/notices-bell.tsx';
import { AppLinks } from '../../tenancy/apps/app-navigation.tsx';
import { CommandCentre } from '../commands/command-centre.tsx';
import { PageApi } from '../page-api/page-api.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { EnvironmentSwitch } from './environment-switch.tsx';
import classes from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { OrganisationMenu } from './organisation-menu.tsx';
import { PageGuide, PageGuideEntry } from './page-guide.tsx';
import { Wordmark } from './wordmark.tsx';

export function Header(): ReactNode {
  const { organisationId, appId } = useParams({ strict: false });
  const membership = useMembership(organisationId ?? '');
  const [isOpen, drawer] = useDisclosure(false);
  return (
    <Group className={classes.bar} justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Burger hiddenFrom="sm" size="sm" opened={isOpen} onClick={drawer.toggle} aria-label="Navigation" />
        <Link to="/" aria-label="Slipway, home" style={{ textDecoration: 'none' }}>
          <Wordmark />
        </Link>
        <Box visibleFrom="sm">
          <OrganisationMenu organisationId={organisationId} />
        </Box>
      </Group>
      <Group gap={6} wrap="nowrap">
        <Box visibleFrom="sm">
          <EnvironmentSwitch />
        </Box>
        {membership && <NoticesBell organisationId={membership.id} />}
        <CommandCentre />
        <PageGuide />
        <PageApi />
        <ColorSchemeToggle />
        <AccountMenu />
      </Group>
      <Drawer opened={isOpen} onClose={drawer.close} title="Navigation" size={300} hiddenFrom="sm">
        <Stack>
          <PageGuideEntry onGo={drawer.close} />
          {organisationId && appId && (
            <>
              <AppLinks scope={{ organisationId, appId }} onGo={drawer.close} />
              <Divider />
            </>
          )}
          <Navigation organisationId={organisationId} onGo={drawer.close} />
          <EnvironmentSwitch />
        </Stack>
      </Drawer>
    </Group>
  );
}
