// Rotates a key: creates a successor with the same scopes or only the used ones, shows it once, and sets the end of the
// old key.
import { Button, Checkbox, List, Select, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { needsSecondFactor, VerifySecondFactor } from '../../identity/session/verify-second-factor.tsx';
import { ChangeForecast } from '../../inspector/forecasts/change-forecast.tsx';
import { DownloadReceipt } from '../../inspector/receipts/download-receipt.tsx';
import type { AppScope, Key } from '../../kit/api.ts';
import { EnvironmentNote } from '../../kit/confirm-dialog.tsx';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { exactTime } from '../../kit/time.ts';
import { useWholeList } from '../../kit/use-all-pages.ts';
import { useEndpoints } from '../../webhooks/webhooks/use-endpoints.ts';
import { ExpiryInput, MAX_DAYS } from './expiry-input.tsx';
import { describeUnread, publicText, unusedOf } from './key-labels.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { useRotateKey } from './use-keys.ts';

interface RotateKeyProps {
  scope: AppScope;
  subject: Key;
  onClose: () => void;
  /** True if the successor leaves out the unused scopes, unless the member decides otherwise. */
  isNarrow?: boolean;
}

export function NarrowKey(props: RotateKeyProps): ReactNode {
  return <RotateKey {...props} isNarrow />;
}

export function RotateKey({ scope, subject, onClose, isNarrow = false }: RotateKeyProps): ReactNode {
  const rotate = useRotateKey(scope);
  if (!rotate.data)
    return <RotateForm scope={scope} subject={subject} rotate={rotate} onClose={onClose} isNarrow={isNarrow} />;
  const { predecessor, receiptId } = rotate.data;
  return (
    <NewKeyDialog created={rotate.data} onClose={onClose}>
      <Text>
        {predecessor.endsAt === null
          ? `${publicText(predecessor.kid)} is revoked.`
          : `${publicText(predecessor.kid)} works until ${exactTime(predecessor.endsAt)}.`}
      </Text>
      {receiptId !== null && <DownloadReceipt organisationId={scope.organisationId} receiptId={receiptId} />}
    </NewKeyDialog>
  );
}

const OVERLAPS = [
  { value: '24', label: 'for 24 hours' },
  { value: '1', label: 'for 1 hour' },
  { value: '0', label: 'no longer: it is revoked immediately' },
];

type RotateFormProps = RotateKeyProps & { isNarrow: boolean; rotate: ReturnType<typeof useRotateKey> };

function RotateForm({ scope, subject, rotate, onClose, isNarrow }: RotateFormProps): ReactNode {
  const [days, setDays] = useState<number | string>(MAX_DAYS);
  const [overlap, setOverlap] = useState<string | null>('24');
  const unused = unusedOf(subject);
  const [isUsedOnly, setUsedOnly] = useState(isNarrow && unused.length > 0);
  const scopes = subject.scopes.filter((one) => !isUsedOnly || !unused.includes(one));
  const mustVerify = needsSecondFactor(rotate.error);
  const send = (): void =>
    rotate.mutate({
      keyId: subject.id,
      body: { expiresInDays: Number(days), overlapHours: Number(overlap), ...(isUsedOnly && { scopes }) },
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  return (
    <FormDialog onClose={onClose} title={`Rotate the ${ENVIRONMENT} key “${subject.name}”?`} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <EnvironmentNote />
          <Text>
            This creates a successor with the same name and {isUsedOnly ? 'fewer scopes' : 'scopes'}, and shows its
            secret once.
          </Text>
          {unused.length > 0 && (
            <Checkbox
              label="Remove unused scopes"
              description={
                isUsedOnly
                  ? `Removed: ${unused.join(', ')}. Kept: ${scopes.join(', ')}.`
                  : `No request and no delivery used ${unused.join(', ')} in the last 30 days.`
              }
              checked={isUsedOnly}
              onChange={(event) => setUsedOnly(event.currentTarget.checked)}
            />
          )}
          <Consequences scope={scope} subject={subject} isAtOnce={overlap === '0'} />
          <RotationForecast scope={scope} subject={subject} kept={scopes} isAtOnce={overlap === '0'} />
          {rotate.error && !mustVerify && <ProblemAlert error={rotate.error} fields={['/expiresInDays']} />}
          <Select
            label={`${publicText(subject.kid)} works`}
            description="Until then both keys work, so that you can replace the old one."
            data={OVERLAPS}
            value={overlap}
            onChange={setOverlap}
            allowDeselect={false}
            data-autofocus
          />
          <ExpiryInput value={days} onChange={setDays} error={fieldError(rotate.error, '/expiresInDays')} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rotate.isPending}>
              Rotate the key
            </Button>
          </DialogActions>
        </Stack>
      </form>
      {mustVerify && <VerifySecondFactor onVerified={send} onClose={rotate.reset} />}
    </FormDialog>
  );
}

type RotationForecastProps = Pick<RotateKeyProps, 'scope' | 'subject'> & {
  /** The scopes of the successor. */
  kept: Key['scopes'];
  isAtOnce: boolean;
};

/** Forecasts the end of the old key, or the loss of scopes. The endpoints move to the successor, which needs events:read. */
function RotationForecast({ scope, subject, kept, isAtOnce }: RotationForecastProps): ReactNode {
  if (isAtOnce) {
    const change = { key: { keyId: subject.id, state: 'revoked' } } as const;
    return <ChangeForecast scope={scope} change={change} keepsDeliveries={kept.includes('events:read')} />;
  }
  if (kept.length === subject.scopes.length) return null;
  return <ChangeForecast scope={scope} change={{ key: { keyId: subject.id, scopes: kept } }} />;
}

type ConsequencesProps = Pick<RotateKeyProps, 'scope' | 'subject'> & { isAtOnce: boolean };

function Consequences({ scope, subject, isAtOnce }: ConsequencesProps): ReactNode {
  const list = useEndpoints(scope);
  const urls = useWholeList(list)?.flatMap((one) => (one.keyId === subject.id ? [one.url] : []));
  return (
    <List size="sm" spacing={6}>
      <List.Item>
        {isAtOnce
          ? 'Every later call with the old key is refused with revoked_key, and its waiting deliveries are cancelled.'
          : 'The end of the old key is then fixed. Revoking the key brings the end forward; nothing delays it.'}
      </List.Item>
      {urls === undefined && (
        <List.Item>Webhooks through the old key use the new key from now on. {describeUnread(list.isError)}</List.Item>
      )}
      {urls !== undefined && urls.length > 0 && (
        <List.Item>Webhooks to {urls.join(', ')} use the new key from now on.</List.Item>
      )}
    </List>
  );
}
