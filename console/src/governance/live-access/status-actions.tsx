// Buttons that suspend, resume or withdraw existing live access.
import { Button, Checkbox, Group, List, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api, type LiveAccess, type LiveAccessReview, type Scope } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { LimitedTextarea } from '../../kit/limited-inputs.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useDecision } from './use-live-access.ts';

interface LiveAccessStatusActionsProps {
  review: LiveAccessReview;
  access: LiveAccess;
}

export function LiveAccessStatusActions({
  review: { request, isOwn },
  access,
}: LiveAccessStatusActionsProps): ReactNode {
  const [dialog, setDialog] = useState<'suspend' | 'revoke'>();
  const target = { liveAccessRequestId: request.id };
  const resume = useDecision(() => api.resumeLiveAccess(target));
  const { status } = access;
  if (status === 'revoked') return null;
  return (
    <Stack gap="xs">
      {resume.error && <ProblemAlert error={resume.error} />}
      <Group gap="xs">
        {status === 'active' ? (
          <Button variant="default" size="xs" onClick={() => setDialog('suspend')}>
            Suspend
          </Button>
        ) : (
          <Button
            variant="default"
            size="xs"
            disabled={isOwn}
            loading={resume.isPending}
            onClick={() => resume.mutate()}
          >
            Resume
          </Button>
        )}
        <Button variant="default" size="xs" onClick={() => setDialog('revoke')}>
          Revoke
        </Button>
      </Group>
      {dialog === 'suspend' && <Suspend of={target} name={request.appName} onClose={() => setDialog(undefined)} />}
      {dialog === 'revoke' && (
        <Revoke of={target} name={request.appName} scopes={access.scopes} onClose={() => setDialog(undefined)} />
      )}
    </Stack>
  );
}

interface StatusDialogProps {
  of: { liveAccessRequestId: string };
  name: string;
  onClose: () => void;
}

function ReasonInput({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  return (
    <LimitedTextarea
      label="Reason"
      description="The organisation can read the reason, and it is recorded."
      data-autofocus
      required
      withAsterisk={false}
      autosize
      minRows={2}
      maxRows={6}
      most={2000}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Suspend({ of, name, onClose }: StatusDialogProps): ReactNode {
  const [reason, setReason] = useState('');
  const suspend = useDecision(() => api.suspendLiveAccess({ ...of, body: { reason: reason.trim() } }));
  return (
    <ConfirmDialog
      isOpen
      isShared
      title={`Suspend the live access of “${name}”?`}
      action="Suspend"
      isReady={reason.trim() !== ''}
      isPending={suspend.isPending}
      error={suspend.error}
      onConfirm={() => suspend.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <List size="sm" spacing={6}>
        <List.Item>Every call with its production keys is refused from now on.</List.Item>
        <List.Item>Deliveries are held. Nothing is lost, and resuming delivers them.</List.Item>
      </List>
      <ReasonInput value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

function Revoke({ of, name, scopes, onClose }: StatusDialogProps & { scopes: readonly Scope[] }): ReactNode {
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState<string[]>([...scopes]);
  const isAll = chosen.length === scopes.length;
  const revoke = useDecision(() => {
    const revoked = scopes.filter((scope) => chosen.includes(scope));
    return api.revokeLiveAccess({ ...of, body: { reason: reason.trim(), ...(!isAll && { scopes: revoked }) } });
  });
  return (
    <ConfirmDialog
      isOpen
      isShared
      title={`Revoke live access of “${name}”?`}
      action={isAll ? 'Revoke all' : 'Revoke these scopes'}
      isReady={reason.trim() !== '' && chosen.length > 0}
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Checkbox.Group label="Scopes to revoke" value={chosen} onChange={setChosen}>
        <Stack gap="xs" my="xs">
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
      <List size="sm" spacing={6}>
        <List.Item>No key of the app can use these scopes from now on. Other scopes work as before.</List.Item>
        <List.Item>
          If you revoke all scopes, the keys are revoked too. The organisation must then submit a new request.
        </List.Item>
      </List>
      <ReasonInput value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
