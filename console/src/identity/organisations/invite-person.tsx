// Invites a person by address and role. Shows the link once, in case no mail arrives.
import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, type CreatedInvitation, type Role } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { ROLE_MEANING, useRolesWithin } from '../../kit/roles.ts';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { needsSecondFactor, VerifySecondFactor } from '../session/verify-second-factor.tsx';
import type { OwnMembership } from './members.tsx';

const MAIL_LABELS: Record<CreatedInvitation['mail'], string> = {
  queued: 'The link is also sent by mail.',
  no_mail_server: 'No mail server is configured, so no mail is sent: pass this link on yourself.',
  limit_reached: 'This address received too many mails within a day, so no mail is sent: pass this link on yourself.',
};

function adviceOf({ mail, createsAccount }: CreatedInvitation): string {
  if (createsAccount)
    return `${MAIL_LABELS[mail]} It creates the account of that address, so give it only to that person.`;
  const account =
    mail === 'no_mail_server' ? ' The outbox of the operator has a link that also creates the account.' : '';
  return `${MAIL_LABELS[mail]} Only the account of that address can accept it.${account}`;
}

export function InvitePerson({
  organisationId,
  role: own,
  onClose,
}: OwnMembership & { onClose: () => void }): ReactNode {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const within = useRolesWithin(own);
  const queries = useQueryClient();
  const invite = useMutation({
    mutationFn: () => api.createInvitation({ organisationId, body: { email: email.trim(), role } }),
    gcTime: 0, // the response contains the link, so it is not cached
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.invitations(organisationId) }),
  });
  if (invite.data) {
    const { invitation, url } = invite.data;
    return (
      <ShownOnceDialog
        title={`The invitation of ${invitation.email}`}
        secret={url}
        noun="link"
        advice={adviceOf(invite.data)}
        onClose={onClose}
      />
    );
  }
  const mustVerify = needsSecondFactor(invite.error);
  const emailError = fieldError(invite.error, '/email');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <FormDialog onClose={onClose} title="Invite a person">
      <form onSubmit={submit}>
        <Stack>
          {invite.error && !mustVerify && <ProblemAlert error={invite.error} fields={['/email']} />}
          <TextInput
            label="E-mail address"
            type="email"
            data-autofocus
            required
            withAsterisk={false}
            maxLength={254}
            value={email}
            error={emailError}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <NativeSelect
            label="Role"
            description={ROLE_MEANING[role]}
            data={within}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as Role)} // one of `within`
          />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={invite.isPending}>
              Invite
            </Button>
          </DialogActions>
        </Stack>
      </form>
      {mustVerify && <VerifySecondFactor onVerified={invite.mutate} onClose={invite.reset} />}
    </FormDialog>
  );
}
