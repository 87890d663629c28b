// Switches to the other environment, to the same app if it exists there. Uses plain links, because the other
// environment is another document.
import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconLock, IconSelector } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { otherEnvironmentPath } from '../../governance/live-access/other-environment-link.tsx';
import { useLiveAccess } from '../../governance/live-access/use-live-access.ts';
import { useSession } from '../../identity/session/use-session.ts';
import { ENVIRONMENT, type EnvironmentName } from '../../kit/environment-path.ts';
import { ENVIRONMENTS, IS_PRODUCTION, PRODUCTION_REASON, useEnvironments } from '../../kit/environments.ts';
import { ICONS } from './environment-frame.tsx';

export function EnvironmentSwitch(): ReactNode {
  const environments = useEnvironments();
  const isServed = environments.data?.data.some(({ name }) => name === 'production') === true;
  const Icon = ICONS[ENVIRONMENT];
  return (
    <Menu position="bottom-end" width={290} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon size={15} aria-hidden />}
          rightSection={<IconSelector size={14} aria-hidden />}
          aria-label={`Environment: ${ENVIRONMENTS[ENVIRONMENT].name}`}
        >
          {ENVIRONMENTS[ENVIRONMENT].name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Environment</Menu.Label>
        <Choice name="sandbox" />
        {isServed || IS_PRODUCTION ? (
          <Choice name="production" />
        ) : (
          <>
            <Menu.Item disabled leftSection={<IconLock size={15} aria-hidden />}>
              Production
            </Menu.Item>
            <Text fz="xs" c="dimmed" px="sm" pb={6}>
              {PRODUCTION_REASON}
            </Text>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Choice({ name }: { name: EnvironmentName }): ReactNode {
  const { href, note } = useElsewhere();
  const Icon = ICONS[name];
  const words = (
    <>
      {ENVIRONMENTS[name].name}
      <Text fz="xs" c="dimmed">
        {name === ENVIRONMENT ? ENVIRONMENTS[name].sentence : note}
      </Text>
    </>
  );
  const icon = <Icon size={15} aria-hidden />;
  if (name === ENVIRONMENT) {
    return (
      <Menu.Item leftSection={icon} rightSection={<IconCheck size={15} aria-label="current" />}>
        {words}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item component="a" href={href} leftSection={icon}>
      {words}
    </Menu.Item>
  );
}

/**
 * Returns the address in the other environment. For an app without a counterpart it leads to the page that describes
 * how to get one.
 */
function useElsewhere(): { href: string; note: string } {
  const { organisationId: named = '', appId = '' } = useParams({ strict: false });
  const first = useSession().data?.organisations[0]?.id ?? '';
  const organisationId = named === '' ? first : named;
  const access = useLiveAccess({ organisationId, appId }, organisationId !== '' && appId !== '');
  const sentence = ENVIRONMENTS[IS_PRODUCTION ? 'sandbox' : 'production'].sentence;
  if (organisationId === '') return { href: '/', note: sentence };
  if (appId === '' || (IS_PRODUCTION && !access.data))
    return { href: otherEnvironmentPath(organisationId), note: sentence };
  if (!access.data) {
    return {
      href: `/sandbox/${organisationId}/apps/${appId}/live-access`,
      note: 'request live access for this app',
    };
  }
  const other = IS_PRODUCTION ? access.data.appId : access.data.productionAppId;
  return { href: otherEnvironmentPath(organisationId, other), note: `this app, with ${sentence}` };
}
