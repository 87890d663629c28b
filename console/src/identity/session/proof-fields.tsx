// Fields for a proof of the second factor: a button for a passkey, and the input of a code.
import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { CodeInput } from './code-input.tsx';
import type { Methods, Proof } from './use-proof.ts';

interface ProofFieldsProps {
  proof: Proof;
  methods: Methods;
  takesRecoveryCode?: boolean;
  fixes?: Record<string, string>;
}

/** Returns true if the form has an input, and so needs a button that submits it. */
export const takesCode = (methods: Methods, takesRecoveryCode: boolean): boolean =>
  takesRecoveryCode || methods.includes('authenticator');

export function ProofFields({ proof, methods, takesRecoveryCode = false, fixes = {} }: ProofFieldsProps): ReactNode {
  return (
    <>
      {proof.error && <ProblemAlert error={proof.error} fixes={fixes} />}
      {methods.includes('passkey') && (
        <Button
          variant="default"
          leftSection={<IconKey size={16} aria-hidden />}
          loading={proof.isSendingPasskey}
          onClick={proof.sendPasskey}
        >
          Use a passkey
        </Button>
      )}
      {takesCode(methods, takesRecoveryCode) && (
        <CodeInput
          takesAuthenticatorCode={methods.includes('authenticator')}
          takesRecoveryCode={takesRecoveryCode}
          value={proof.code}
          onChange={proof.setCode}
        />
      )}
    </>
  );
}
