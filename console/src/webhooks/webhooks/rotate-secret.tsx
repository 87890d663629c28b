// Rotates the signing secret: asks how long the current one stays valid, then shows the new one.

import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { ENVIRONMENT_PHRASE } from '../../kit/environments.ts';
import { LimitedNumberInput } from '../../kit/limited-inputs.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import type { EndpointDialogProps } from './endpoint-frame.tsx';
import { REVEALED_AGAIN } from './secret-labels.ts';
import { useRotateSecret } from './use-endpoints.ts';

const DEFAULT_HOURS = 24;
const MAX_HOURS = 168;

export function RotateSecret({
  scope,
  endpoint,
  isOverlap,
  onClose,
}: EndpointDialogProps & { isOverlap: boolean }): ReactNode {
  // While two secrets are valid, the API accepts only an overlap of zero, which ends both.
  const [hours, setHours] = useState<number | string>(isOverlap ? 0 : DEFAULT_HOURS);
  const rotate = useRotateSecret(scope, endpoint.id);
  if (rotate.data) {
    const { signingSecret, previousEndsAt } = rotate.data;
    return (
      <ShownOnceDialog
        title={`The new signing secret in ${ENVIRONMENT_PHRASE}`}
        secret={signingSecret}
        noun="signing secret"
        warning={REVEALED_AGAIN}
        onClose={onClose}
      >
        <Text>
          {Number(hours) > 0 && previousEndsAt !== null ? (
            <>
              Deliveries carry two signatures, one by each secret. Verify with both until the previous secret ends,{' '}
              <RelativeTime at={previousEndsAt} />.
            </>
          ) : (
            'Only the new secret signs from now on.'
          )}
        </Text>
      </ShownOnceDialog>
    );
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Rotate the ${ENVIRONMENT} signing secret?`}
      action="Rotate the secret"
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(Number(hours))}
      onClose={onClose}
    >
      <Text>
        This generates a new secret and shows it to you. During the overlap the current secret signs too, so that a
        receiver with either secret accepts each delivery.
      </Text>
      <LimitedNumberInput
        label="Overlap in hours"
        description={
          isOverlap
            ? 'Two secrets sign already: end the overlap first, or enter 0, which ends both immediately.'
            : 'At most 168, which is seven days. 0 ends the current secret immediately.'
        }
        min={0}
        max={MAX_HOURS}
        allowDecimal={false}
        value={hours}
        onChange={setHours}
      />
    </ConfirmDialog>
  );
}
