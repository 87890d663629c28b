// The first step: a key.
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { GenerateKey } from '../keys/generate-key.tsx';
import { useMembership } from '../session/use-session.ts';
import { Step, type StepProps } from './step.tsx';

export function KeyStep({ scope, progress }: StepProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const role = useMembership(scope.organisationId)?.role;
  const active = progress.keys.filter((key) => key.state === 'active').length;
  const count = active === 1 ? 'is 1 active key' : `are ${active} active keys`;
  return (
    <Step
      number={1}
      title="Generate a key"
      isDone={progress.hasKey}
      description={
        progress.hasKey
          ? `There ${count}. Its text was shown once, when it was made.`
          : 'It is how your server proves who it is.'
      }
    >
      <GuardedButton
        role={role}
        action="keys.create"
        // While there never was one, the short way stands above, and is the one to take.
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
