// One grant: its state, and a menu of possible changes with their consequences.

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
import { useRefusalReason } from '../../kit/roles.ts';
import { isUnusedGrant, obstacleOf, overCapOf, type ShownState, stateOf, transitionsOf } from './grant-labels.ts';
import classes from './installations.module.css';
import { describeGrantSides, grantSidesOf, limitOf, restrictionChangesOf, withholderOf } from './restriction-labels.ts';
import type { GrantChange } from './use-installations.ts';

const ICONS: Record<ShownState, TablerIcon> = {
  authorised: IconCircleCheck,
  paused: IconPlayerPause,
  revoked: IconCircleX,
  never: IconCircleDashed,
};

interface GrantMenuProps {
  server: Installation;
  /** Undefined: the whole installation. */
  scope?: Scope;
  role: Role | undefined;
  pending: GrantChange | undefined;
  /** True if a legend next to the grant explains the symbol of an authorised one, which then has no text. */
  isCompact?: boolean;
  onChange: (change: GrantChange) => void;
}

export function GrantMenu({ server, scope, role, pending, isCompact = false, onChange }: GrantMenuProps): ReactNode {
  const state = stateOf(server, scope);
  const refused = useRefusalReason(role, 'installations.change');
  const obstacle = IS_PRODUCTION || scope === undefined ? undefined : obstacleOf(server);
  const reason = refused ?? obstacle;
  const changes = IS_PRODUCTION ? restrictionChangesOf(server, scope) : transitionsOf(state, scope);
  const common = { server, scope, state, isCompact };
  const isPending = pending?.server.serverId === server.serverId && pending.scope === scope;
  if (reason !== undefined) {
    const halves = IS_PRODUCTION ? `${describeGrantSides(grantSidesOf(server, scope))}. ` : '';
    return <GrantButton {...common} isDisabled {...hint(`${halves}${reason}`)} />;
  }
  return (
    <Menu position="bottom-start" width={290} portalProps={{ target: `#${CONTENT_ID}` }}>
      <Menu.Target>
        <GrantButton {...common} isPending={isPending} />
      </Menu.Target>
      <Menu.Dropdown>
        {IS_PRODUCTION && <GrantSidesLabel server={server} scope={scope} />}
        {changes.map((one) => (
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

/** Shows the state of each side, and the reason why a member cannot grant more. */
function GrantSidesLabel({ server, scope }: { server: Installation; scope: Scope | undefined }): ReactNode {
  const limit = limitOf(server, scope);
  return (
    <Menu.Label component="div">
      <Text fz="xs">{describeGrantSides(grantSidesOf(server, scope))}</Text>
      {limit !== undefined && (
        <Text fz="xs" mt={2}>
          {limit}
        </Text>
      )}
    </Menu.Label>
  );
}

interface GrantButtonProps {
  server: Installation;
  scope: Scope | undefined;
  state: ShownState;
  isCompact: boolean;
  isPending?: boolean;
  isDisabled?: boolean;
}

// The other props connect the menu to its target.
function GrantButton(props: GrantButtonProps): ReactNode {
  const { server, scope, state, isCompact, isPending = false, isDisabled = false, ...target } = props;
  const Icon = ICONS[state];
  const icon = <Icon size={16} aria-hidden />;
  const isWhole = scope === undefined;
  const isOverCap = overCapOf(server, scope) !== undefined;
  const isUnused = isUnusedGrant(server, scope);
  const isHeld = !isWhole && stateOf(server) !== 'authorised';
  const withholder = IS_PRODUCTION ? withholderOf(server, scope) : undefined;
  const isSymbol = isCompact && state === 'authorised' && withholder === undefined && !isOverCap && !isHeld;
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
      leftSection={isSymbol ? undefined : icon}
      rightSection={isUnused && <IconClockOff size={14} aria-hidden />}
      aria-label={[
        `${scope ?? 'Whole installation'} on ${server.serverName}: ${state}`,
        withholder,
        isOverCap && 'over the limit',
        isUnused && 'not used in the last 30 days',
      ]
        .filter(Boolean)
        .join(', ')}
      {...(isDisabled && { 'aria-disabled': true, 'data-locked': true })}
    >
      {isSymbol && icon}
      {!isSymbol && withholder === undefined && (isOverCap ? 'over the limit' : state)}
      {withholder !== undefined && (
        <span className={classes.withheld}>
          {/* The space separates the words for programs that read the text: the stylesheet puts them on two lines. */}
          {state} <small>{withholder}</small>
        </span>
      )}
    </Button>
  );
}
