// Requests a new address for the account. The address changes when the person confirms the link that is mailed to it.
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, defined, type Session } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { CurrentPassword } from './current-password.tsx';
import { useProviders } from './use-providers.ts';
import { useSession } from './use-session.ts';
import { needsSecondFactor, VerifySecondFactor } from './verify-second-factor.tsx';

const TITLE = 'Change your e-mail address';
const FIXES = {
  rate_limited: 'You requested five addresses today, or too many passwords were wrong. Try again later.',
};

interface ChangeEmailProps {
  person: Session['person'];
  onClose: () => void;
}

export function ChangeEmail({ person, onClose }: ChangeEmailProps): ReactNode {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const isMailed = useProviders().data?.sendsMail !== false;
  const isOperator = useSession().data?.isOperator === true;
  const { hasPassword } = person;
  const request = useMutation({
    mutationFn: () =>
      api.requestEmailChange({
        body: { email: email.trim(), ...defined({ currentPassword: hasPassword ? password : undefined }) },
      }),
  });
  const mustVerify = needsSecondFactor(request.error);
  const emailError = fieldError(request.error, '/email');
  const passwordError = fieldError(request.error, '/currentPassword');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    request.mutate();
  };
  if (request.isSuccess) {
    return (
      <FormDialog key="sent" onClose={onClose} title={isMailed ? 'Check your mail' : 'Ask the operator for the link'}>
        <Stack role="status">
          <Text style={{ overflowWrap: 'anywhere' }}>
            {isMailed
              ? `Slipway mails a link to ${email.trim()}.`
              : `A link for ${email.trim()} waits in the outbox of this installation. No mail server is configured, so no mail is sent: the operator gives you the link.`}{' '}
            Open it in this browser. The link works once within an hour. Your address stays unchanged until then.
          </Text>
          <DialogActions>
            <Button onClick={onClose} data-autofocus>
              Close
            </Button>
          </DialogActions>
        </Stack>
      </FormDialog>
    );
  }
  return (
    <FormDialog onClose={onClose} title={TITLE}>
      <form onSubmit={submit}>
        <Stack>
          <Text c="dimmed">
            A link to the new address confirms it. Your other sessions then end, and your previous address receives a
            link that restores it within 72 hours.
          </Text>
          {isOperator && (
            <Text>You are an operator. If the settings of this installation name your address, this role ends.</Text>
          )}
          {request.error && !mustVerify && (
            <ProblemAlert error={request.error} fixes={FIXES} fields={['/email', '/currentPassword']} />
          )}
          <TextInput
            label="New e-mail address"
            type="email"
            autoComplete="email"
            data-autofocus
            required
            withAsterisk={false}
            maxLength={320}
            value={email}
            error={emailError}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {hasPassword && <CurrentPassword value={password} onChange={setPassword} error={passwordError} />}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={request.isPending}>
              Request a link
            </Button>
          </DialogActions>
        </Stack>
      </form>
      {mustVerify && <VerifySecondFactor onVerified={request.mutate} onClose={request.reset} />}
    </FormDialog>
  );
}
