// Enforces the rule about the scopes of events before the announced date, after a confirmation: the switch is
// permanent.
import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope, EventScopes } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { counted } from '../../kit/number.ts';
import { useEnforceEventScopes } from './use-event-scopes.ts';

interface EnforceEventScopesProps {
  scope: AppScope;
  rule: EventScopes;
}

export function EnforceEventScopes({ scope, rule }: EnforceEventScopesProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const role = useMembership(scope.organisationId)?.role;
  const enforce = useEnforceEventScopes(scope);
  const confirm = (): void =>
    enforce.mutate(undefined, {
      onSuccess: () =>
        notifications.show({
          color: 'teal',
          title: 'The rule is enforced',
          message: 'An event with a resource now requires the scope of the resource.',
        }),
    });
  return (
    <>
      <GuardedButton role={role} action="apps.change" variant="default" size="xs" onClick={dialog.open}>
        Enforce now…
      </GuardedButton>
      <ConfirmDialog
        isOpen={isOpen}
        title="Enforce event scopes now?"
        action="Enforce the rule"
        isPending={enforce.isPending}
        error={enforce.error}
        onConfirm={confirm}
        onClose={dialog.close}
      >
        {consequenceOf(rule).map((sentence) => (
          <Text key={sentence}>{sentence}</Text>
        ))}
        <Text fw={550}>You cannot undo this. The app cannot return to the earlier rule.</Text>
      </ConfirmDialog>
    </>
  );
}

function consequenceOf({ events }: EventScopes): string[] {
  const first =
    events === 0
      ? 'The app no longer gets an event with a resource by events:read alone.'
      : `The app no longer gets events whose scope is missing, such as the ${counted(events, 'event')} that the rule would withhold.`;
  return [
    first,
    'Waiting deliveries of such events are cancelled, and new deliveries are skipped. While the missing scope is only paused, both are held.',
  ];
}
