// Changes one object by the triggers that fit its kind.
import { Button, Group, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope, EventType, WorldObject } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { useIsPermitted } from '../../kit/roles.ts';
import { KINDS, TRIGGER_LABELS } from './kinds.ts';
import { TriggerDialog } from './trigger-dialog.tsx';

interface ObjectActionsProps {
  scope: AppScope;
  object: WorldObject;
  onDone: (objectId: string) => void;
}

export function ObjectActions({ scope, object, onDone }: ObjectActionsProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const may = useIsPermitted(role, 'world.change');
  const [type, setType] = useState<EventType>();
  const { changes } = KINDS[object.kind];
  if (changes.length === 0) return null;
  const button = { variant: 'default', size: 'xs', rightSection: <IconChevronDown size={14} aria-hidden /> } as const;
  return (
    <Group gap="sm">
      {may === false ? (
        <GuardedButton role={role} action="world.change" {...button}>
          Change
        </GuardedButton>
      ) : (
        <Menu position="bottom-start" withinPortal={false}>
          <Menu.Target>
            <Button {...button}>Change</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {changes.map((one) => (
              <Menu.Item key={one} onClick={() => setType(one)}>
                {TRIGGER_LABELS[one] ?? one}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {type !== undefined && (
        <TriggerDialog
          scope={scope}
          type={type}
          objectId={object.id}
          isOnServer={false}
          onDone={onDone}
          onClose={() => setType(undefined)}
        />
      )}
    </Group>
  );
}
