// Second step: a command with the real address, and with the real key while this page knows it.
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../kit/code-block.tsx';
import { firstCall, KEY_VARIABLE } from '../../kit/curl.ts';
import { useCurrentEnvironment } from '../../kit/environments.ts';
import { useFreshKey } from '../../kit/fresh-keys.ts';
import { Step, type StepProps } from './step.tsx';

export function CallStep({ scope, progress }: StepProps): ReactNode {
  const sandbox = useCurrentEnvironment();
  const fresh = useFreshKey(scope.appId);
  const newest = progress.keys.find((key) => key.state === 'active');
  const scopes = fresh?.key.scopes ?? newest?.scopes ?? ['servers:read'];
  const description = fresh
    ? 'Paste this into a shell. It contains the key that you have just generated.'
    : `Put your key into ${KEY_VARIABLE}, then paste this into a shell.`;
  return (
    <Step number={2} title="Make the first call" isDone={progress.hasCall} description={description}>
      {sandbox ? (
        <CodeBlock label="curl" wraps>
          {firstCall(sandbox.apiUrl, scopes, fresh?.token)}
        </CodeBlock>
      ) : (
        <Skeleton height={90} radius="sm" />
      )}
    </Step>
  );
}
