// One grant: its state in icon and words, and the changes that it allows, each with what it will allow or stop.

import { Button, Menu, Text } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClockOff,
  IconPlayerPause,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Installation, Role, Scope } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { hint } from '../../kit/hints.tsx';
import { CONTENT_ID } from '../../kit/panel.tsx';
import { useReasonAgainst } from '../../kit/roles.ts';
import { isUnusedGrant, obstacleOf, overCapOf, type ShownState, stateOf, transitionsOf } from './grant-words.ts';
import classes from './installations.module.css';
import type { GrantChange } from './use-installations.ts';

const ICONS: Record<ShownState, TablerIcon> = {
  authorised: IconCircleCheck,
  paused: IconPlayerPause,
  revoked: IconCircleX,
  never: IconCircleDashed,
};

const OWNERS_DECIDE = IS_PRODUCTION ? 'In production the servers’ owners decide.' : undefined;

export interface GrantMenuProps {
  server: Installation;
  /** Absent: the whole installation. */
  scope?: Scope;
  role: Role | undefined;
  pending: GrantChange | undefined;
  onChange: (change: GrantChange) => void;
}

export function GrantMenu({ server, scope, role, pending, onChange }: GrantMenuProps): ReactNode {
  const state = stateOf(server, scope);
  const refused = useReasonAgainst(role, 'installations.change');
  const reason =
    overCapOf(server, scope) ?? OWNERS_DECIDE ?? refused ?? (scope === undefined ? undefined : obstacleOf(server));
  const isPending = pending?.server.serverId === server.serverId && pending.scope === scope;
  if (reason !== undefined) {
    return <GrantButton server={server} scope={scope} state={state} isDisabled {...hint(reason)} />;
  }
  return (
    <Menu position="bottom-start" width={290} portalProps={{ target: `#${CONTENT_ID}` }}>
      <Menu.Target>
        <GrantButton server={server} scope={scope} state={state} isPending={isPending} />
      </Menu.Target>
      <Menu.Dropdown>
        {transitionsOf(state, scope).map((one) => (
          <Menu.Item
            key={one.state}
            onClick={() => onChange({ server, scope, state: one.state })}
            {...(one.state === 'revoked' && { className: classes.destructive })}
          >
            <Text fw={550}>{one.label}</Text>
            <Text fz="xs" c="dimmed">
              {one.consequence}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface GrantButtonProps {
  server: Installation;
  scope: Scope | undefined;
  state: ShownState;
  isPending?: boolean;
  isDisabled?: boolean;
}

// The rest are the properties by which a menu takes hold of its target.
function GrantButton({ server, scope, state, isPending = false, isDisabled = false, ...target }: GrantButtonProps) {
  const Icon = ICONS[state];
  const isWhole = scope === undefined;
  const isOverCap = overCapOf(server, scope) !== undefined;
  const isUnused = isUnusedGrant(server, scope);
  const isHeld = !isWhole && stateOf(server) !== 'authorised';
  return (
    <Button
      {...(isUnused && hint('No request and no delivery used this grant in the last 30 days.'))}
      {...target}
      className={classes.grant}
      data-state={state}
      data-held={isHeld || undefined}
      variant="subtle"
      size="compact-sm"
      loading={isPending}
      leftSection={<Icon size={16} aria-hidden />}
      rightSection={isUnused && <IconClockOff size={14} aria-hidden />}
      aria-label={`${scope ?? 'Whole installation'} on ${server.serverName}: ${state}${isOverCap ? ', over the cap' : ''}${isUnused ? ', not used in the last 30 days' : ''}`}
      {...(isDisabled && { 'aria-disabled': true, 'data-locked': true })}
    >
      {isOverCap ? 'over the cap' : state}
    </Button>
  );
}
