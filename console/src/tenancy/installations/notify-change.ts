// Notifies the member of the result of a change.
import { notifications } from '@mantine/notifications';
import type { Installation } from '../../kit/api.ts';
import { doneSentence } from './grant-labels.ts';
import { liftedSentence } from './restriction-labels.ts';
import type { GrantChange } from './use-installations.ts';

export function notifyChange(input: GrantChange, changed: Installation): void {
  const limited = input.state === 'authorised' ? liftedSentence(changed, input.scope) : undefined;
  notifications.show({
    ...{ color: 'teal', title: 'Saved', message: limited ?? doneSentence(input), autoClose: 7_000 },
  });
}
