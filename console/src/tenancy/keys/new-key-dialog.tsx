// Shows a key once, with a command to paste.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CreatedKey } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { firstCall } from '../../kit/curl.ts';
import { ENVIRONMENT_PHRASE, useCurrentEnvironment } from '../../kit/environments.ts';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { exactTime } from '../../kit/time.ts';

interface NewKeyDialogProps {
  created: CreatedKey;
  /** Text about the previous key. */
  children?: ReactNode;
  onClose: () => void;
}

export function NewKeyDialog({ created: { key, token }, children, onClose }: NewKeyDialogProps): ReactNode {
  const here = useCurrentEnvironment();
  return (
    <ShownOnceDialog
      title={`Your key “${key.name}” for ${ENVIRONMENT_PHRASE}`}
      secret={token}
      noun="key"
      onClose={onClose}
    >
      {children}
      <Text c="dimmed">This key expires on {exactTime(key.expiresAt)}. The date is fixed.</Text>
      {here && (
        <CodeBlock label="First call, with this key" wraps>
          {firstCall(here.apiUrl, key.scopes, token)}
        </CodeBlock>
      )}
    </ShownOnceDialog>
  );
}
