// Adds an endpoint, then shows its signing secret, with which the receiver verifies deliveries.

import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { ENVIRONMENT_PHRASE } from '../../kit/environments.ts';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { isListener, listenCommand } from './listener.tsx';
import { REVEALED_AGAIN } from './secret-labels.ts';
import { useCreateEndpoint } from './use-endpoints.ts';
import { VerifyFold } from './verify-fold.tsx';

interface AddEndpointProps {
  scope: AppScope;
  onClose: () => void;
}

export function AddEndpoint({ scope, onClose }: AddEndpointProps): ReactNode {
  const create = useCreateEndpoint(scope);
  if (!create.data) return <EndpointForm scope={scope} create={create} onClose={onClose} />;
  const { endpoint, signingSecret } = create.data;
  return (
    <ShownOnceDialog
      title={`The endpoint’s signing secret in ${ENVIRONMENT_PHRASE}`}
      secret={signingSecret}
      noun="signing secret"
      warning={REVEALED_AGAIN}
      onClose={onClose}
    >
      {isListener(endpoint.url) && (
        <CodeBlock label="Receive on your machine" wraps>
          {listenCommand(endpoint.url)}
        </CodeBlock>
      )}
      <Text style={{ overflowWrap: 'anywhere' }}>
        Deliveries to{' '}
        <Text component="span" ff="monospace">
          {endpoint.url}
        </Text>{' '}
        are signed with it (Standard Webhooks). Verify each signature over the raw bytes of the body.
      </Text>
      <VerifyFold />
    </ShownOnceDialog>
  );
}
