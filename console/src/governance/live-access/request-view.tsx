// Shows one request: its form while it can be edited, and afterwards its submitted content.
import { Alert, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type AppScope, api, type LiveAccessRequestDetail, type Role } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import notes from '../../kit/notes.module.css';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { EvidencePanel } from './evidence-panel.tsx';
import { History } from './history.tsx';
import { isEditable, isOpen, STATE_LABELS } from './labels.ts';
import { RequestForm } from './request-form.tsx';
import { RequestedAccess } from './requested-access.tsx';
import { useEvidence, useRequest, useStep } from './use-live-access.ts';

interface RequestViewProps {
  scope: AppScope;
  role: Role | undefined;
  id: string;
}

export function RequestView({ scope, role, id }: RequestViewProps): ReactNode {
  const request = useRequest(scope.organisationId, id);
  if (request.error) return <ProblemAlert error={request.error} onRetry={() => void request.refetch()} />;
  if (!request.data) return <RowsSkeleton rows={6} />;
  return <RequestContent scope={scope} role={role} request={request.data} />;
}

interface RequestContentProps extends Omit<RequestViewProps, 'id'> {
  request: LiveAccessRequestDetail;
}

function RequestContent({ scope, role, request }: RequestContentProps): ReactNode {
  const { state, reason, scopes, submission } = request;
  const mayEdit = isEditable(state);
  const live = useEvidence(scope, mayEdit);
  const evidence = mayEdit ? live.data : submission?.evidence;
  const [tone, word] = STATE_LABELS[state];
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <SectionHead title="The request" />
          <StateBadge tone={tone}>{word}</StateBadge>
        </Group>
        {isOpen(state) && <Withdraw scope={scope} role={role} request={request} />}
      </Group>
      {reason && (
        <Alert
          className={(state === 'rejected' ? notes.bad : notes.warning) ?? ''}
          title={state === 'rejected' ? 'Request rejected' : 'Changes requested by the reviewer'}
        >
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{reason}</Text>
        </Alert>
      )}
      {mayEdit ? (
        // A new version of the request resets the form, so that changes of another member are visible.
        <RequestForm key={request.version} scope={scope} role={role} request={request} />
      ) : (
        <RequestedAccess request={request} />
      )}
      {mayEdit && live.error && <ProblemAlert error={live.error} onRetry={() => void live.refetch()} />}
      {mayEdit && live.isPending && <RowsSkeleton rows={5} />}
      {evidence && (
        <EvidencePanel
          evidence={evidence}
          scopes={scopes.map(({ scope: requested }) => requested)}
          sha256={mayEdit ? undefined : submission?.sha256}
        />
      )}
      <History steps={request.history} />
    </Stack>
  );
}

function Withdraw({ scope: { organisationId }, role, request: { id, version } }: RequestContentProps): ReactNode {
  const withdraw = useStep(organisationId, () =>
    api.withdrawLiveAccessRequest({ organisationId, liveAccessRequestId: id, body: { version } }),
  );
  return (
    <Stack gap="xs">
      {withdraw.error && <ProblemAlert error={withdraw.error} />}
      <GuardedButton
        role={role}
        action="live_access.request"
        variant="default"
        size="xs"
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate()}
      >
        Withdraw
      </GuardedButton>
    </Stack>
  );
}
