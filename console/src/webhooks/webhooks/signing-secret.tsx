// Shows when the signing secret was rotated and which secrets sign, and rotates or reveals it.

import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { ENVIRONMENT_PHRASE } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import notes from '../../kit/notes.module.css';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ADVICE, SecretText } from '../../kit/shown-once-dialog.tsx';
import { useNowMs } from '../../kit/time.ts';
import type { EndpointContext, EndpointDialogProps } from './endpoint-frame.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { useEndOverlap, useRevealSecret } from './use-endpoints.ts';
import { VerifyFold } from './verify-fold.tsx';

type OpenDialog = 'reveal' | 'rotate' | 'end';

export function SigningSecret(context: EndpointContext): ReactNode {
  const { scope, endpoint, role } = context;
  const { secretRotatedAt, previousSecretEndsAt } = endpoint;
  const [open, setOpen] = useState<OpenDialog>();
  const close = (): void => setOpen(undefined);
  const isOverlap = useNowMs() < new Date(previousSecretEndsAt ?? 0).getTime();
  return (
    <Panel p="md" role="region" aria-label="Signing secret">
      <Stack>
        <SectionHead title="Signing secret" order={3}>
          The receiver verifies deliveries with it (Standard Webhooks).
        </SectionHead>
        <Text>
          {secretRotatedAt === null ? (
            'It was never rotated.'
          ) : (
            <RelativeTime at={secretRotatedAt} prefix="It was rotated " />
          )}
          {isOverlap && previousSecretEndsAt !== null && (
            <>
              {' '}
              The previous secret signs too, until <RelativeTime at={previousSecretEndsAt} />.
            </>
          )}
        </Text>
        <Group gap="xs">
          <GuardedButton role={role} action="endpoints.reveal" variant="default" onClick={() => setOpen('reveal')}>
            Reveal
          </GuardedButton>
          <GuardedButton role={role} action="endpoints.rotate" variant="default" onClick={() => setOpen('rotate')}>
            Rotate
          </GuardedButton>
          {isOverlap && (
            <GuardedButton role={role} action="endpoints.rotate" variant="default" onClick={() => setOpen('end')}>
              End the overlap
            </GuardedButton>
          )}
        </Group>
        <VerifyFold />
      </Stack>
      {open === 'reveal' && <RevealSecret scope={scope} endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateSecret scope={scope} endpoint={endpoint} isOverlap={isOverlap} onClose={close} />}
      {open === 'end' && <EndOverlap scope={scope} endpoint={endpoint} onClose={close} />}
    </Panel>
  );
}

function RevealSecret({ scope, endpoint, onClose }: EndpointDialogProps): ReactNode {
  const reveal = useRevealSecret(scope, endpoint.id);
  const secret = reveal.data?.signingSecret;
  return (
    <Modal opened onClose={onClose} title={`The endpoint’s signing secret in ${ENVIRONMENT_PHRASE}`} size="lg">
      <Stack>
        <Alert className={notes.warning ?? ''} icon={<IconEye aria-hidden />}>
          {secret === undefined
            ? 'The audit log will record that you have seen it. Anyone with the secret can forge deliveries to this endpoint.'
            : 'The audit log records that you have seen it.'}
        </Alert>
        {reveal.error && <ProblemAlert error={reveal.error} />}
        {secret !== undefined && <SecretText secret={secret} noun="signing secret" advice={ADVICE} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {secret === undefined ? 'Cancel' : 'Close'}
          </Button>
          {secret === undefined && (
            <Button loading={reveal.isPending} onClick={() => reveal.mutate()}>
              Reveal secret
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function EndOverlap({ scope, endpoint, onClose }: EndpointDialogProps): ReactNode {
  const endOverlap = useEndOverlap(scope, endpoint.id);
  return (
    <ConfirmDialog
      isOpen
      title={`End the overlap of the ${ENVIRONMENT} rotation?`}
      action="End the overlap"
      isPending={endOverlap.isPending}
      error={endOverlap.error}
      onConfirm={() => endOverlap.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        The previous secret is erased and signs no more. A receiver that still verifies with it refuses every delivery
        from then on.
      </Text>
    </ConfirmDialog>
  );
}
