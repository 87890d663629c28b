// Notifies the member of the result of a change.
import { notifications } from '@mantine/notifications';
import { RevocationMessage } from '../../inspector/receipts/download-receipt.tsx';
import type { AppScope, ChangedInstallation } from '../../kit/api.ts';
import { doneSentence } from './grant-labels.ts';
import { liftedSentence } from './restriction-labels.ts';
import type { GrantChange } from './use-installations.ts';

export function notifyChange({ organisationId }: AppScope, input: GrantChange, changed: ChangedInstallation): void {
  const limited = input.state === 'authorised' ? liftedSentence(changed, input.scope) : undefined;
  const text = limited ?? doneSentence(input);
  const { receiptId } = changed;
  notifications.show({
    color: 'teal',
    title: 'Saved',
    message: receiptId === null ? text : <RevocationMessage {...{ text, organisationId }} receiptIds={[receiptId]} />,
    autoClose: receiptId === null ? 7_000 : 30_000,
  });
}
