// Disables the second factor with a proof of it, or requests its removal without one. The removal takes a day. If a mail
// server is configured, a mail announces it.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, defined } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { CurrentPassword } from './current-password.tsx';
import { ProofFields } from './proof-fields.tsx';
import { type Methods, useProof } from './use-proof.ts';
import { useProviders } from './use-providers.ts';

const FIXES = { second_factor_failed: 'The code is wrong, or was used already. Wait for the next one.' };

interface DisableProps {
  methods: Methods;
  hasPassword: boolean;
  onDisabled: () => unknown;
  onRequested: () => unknown;
  onClose: () => void;
}

export function DisableSecondFactor(props: DisableProps): ReactNode {
  const [hasProof, setHasProof] = useState(true);
  return hasProof ? <WithProof {...props} onLost={() => setHasProof(false)} /> : <WithoutProof {...props} />;
}

function WithProof({ methods, onDisabled, onClose, onLost }: DisableProps & { onLost: () => void }): ReactNode {
  const isMailed = useProviders().data?.sendsMail !== false;
  const proof = useProof({
    complete: (body) => api.disableSecondFactor({ body }),
    onDone: onDisabled,
  });
  return (
    <FormDialog onClose={onClose} title="Disable the second factor?">
      <form onSubmit={proof.submit}>
        <Stack>
          <Text>
            You then sign in with your password alone, and your recovery codes
            {methods.includes('passkey') && ' and passkeys'} become invalid.
            {isMailed && ' You receive a mail.'}
          </Text>
          <ProofFields proof={proof} methods={methods} takesRecoveryCode fixes={FIXES} />
          <Anchor component="button" type="button" ta="left" w="fit-content" onClick={onLost}>
            {methods.includes('passkey')
              ? 'I have no passkey, no authenticator and no recovery code'
              : 'I have neither my authenticator nor a recovery code'}
          </Anchor>
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Keep it
            </Button>
            <Button type="submit" color="red.8" loading={proof.isSendingCode}>
              Disable
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}

function WithoutProof({ hasPassword, onRequested, onClose }: DisableProps): ReactNode {
  const [password, setPassword] = useState('');
  const isMailed = useProviders().data?.sendsMail !== false;
  const request = useMutation({
    mutationFn: () =>
      api.requestSecondFactorRemoval({ body: defined({ currentPassword: hasPassword ? password : undefined }) }),
    onSuccess: onRequested,
  });
  const passwordError = fieldError(request.error, '/currentPassword');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    request.mutate();
  };
  return (
    <FormDialog onClose={onClose} title="Request the removal of a lost second factor?">
      <form onSubmit={submit}>
        <Stack>
          <Text>
            The second factor is removed after 24 hours.{' '}
            {isMailed
              ? 'You receive a mail with a link that cancels the removal.'
              : 'No mail server is configured, so you receive no link: cancel the removal on this page.'}{' '}
            Stay signed in: until then, a new sign-in still requires a code.
          </Text>
          <Text>You cannot create production keys meanwhile, and until a new second factor is 24 hours old.</Text>
          {request.error && <ProblemAlert error={request.error} fields={['/currentPassword']} />}
          {hasPassword && <CurrentPassword value={password} onChange={setPassword} error={passwordError} isFirst />}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={request.isPending}>
              Request removal
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
