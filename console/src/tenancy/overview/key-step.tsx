// First step: a key.
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { counted } from '../../kit/number.ts';
import { GenerateKey } from '../keys/generate-key.tsx';
import { Step, type StepProps } from './step.tsx';

export function KeyStep({ scope, progress }: StepProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const role = useMembership(scope.organisationId)?.role;
  const active = progress.keys.filter((key) => key.state === 'active').length;
  return (
    <Step
      number={1}
      title="Generate a key"
      isDone={progress.hasKey}
      description={
        progress.hasKey ? activeSentence(active, progress.hasMoreKeys) : 'Your server authenticates with a key.'
      }
    >
      <GuardedButton
        role={role}
        action="keys.create"
        // Before the first key, the quick start above has the primary button.
        variant={progress.hasKey || progress.keys.length === 0 ? 'default' : 'filled'}
        w="fit-content"
        onClick={dialog.open}
      >
        {progress.hasKey ? 'Generate another' : 'Generate a key'}
      </GuardedButton>
      {isOpen && <GenerateKey scope={scope} onClose={dialog.close} />}
    </Step>
  );
}

function activeSentence(count: number, hasMore: boolean): string {
  if (hasMore) return `There are at least ${counted(count, 'active key')}. Each secret was shown once.`;
  if (count === 1) return 'There is 1 active key. Its secret was shown once.';
  return `There are ${counted(count, 'active key')}. Each secret was shown once.`;
}
