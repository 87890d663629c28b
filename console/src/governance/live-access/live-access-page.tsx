// Live access of one app: its rights in production, the open request with its evidence, and earlier requests.
import { Stack } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { type AppScope, api, type LiveAccess, type LiveAccessRequest, type Role } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { EmptyList, RowsSkeleton } from '../../kit/list-states.tsx';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../../tenancy/apps/use-app.ts';
import { isOpen } from './labels.ts';
import { OtherEnvironmentLink } from './other-environment-link.tsx';
import { RequestList } from './request-list.tsx';
import { RequestView } from './request-view.tsx';
import { LiveAccessStatusPanel } from './status-panel.tsx';
import { useLiveAccess, useRequests, useStep } from './use-live-access.ts';

export function LiveAccessPage(): ReactNode {
  const scope = useAppScope();
  useTitle('Live access', useApp(scope).data?.name);
  const role = useMembership(scope.organisationId)?.role;
  const access = useLiveAccess(scope);
  const requests = useRequests(scope);
  const error = access.error ?? requests.error;
  return (
    <Stack gap="lg">
      <SectionHead title="Live access">
        Production is a separate environment with its own keys. You request scopes and describe their purpose. A
        reviewer outside your organisation decides.
      </SectionHead>
      {error && (
        <ProblemAlert error={error} onRetry={() => void (access.error ? access.refetch() : requests.refetch())} />
      )}
      {!error && (access.data === undefined || !requests.items) && <RowsSkeleton rows={6} />}
      {access.data !== undefined && requests.items && (
        <LiveAccessContent scope={scope} role={role} access={access.data} requests={requests.items} />
      )}
    </Stack>
  );
}

interface LiveAccessContentProps {
  scope: AppScope;
  role: Role | undefined;
  access: LiveAccess | null;
  requests: LiveAccessRequest[];
}

function LiveAccessContent({ scope, role, access, requests }: LiveAccessContentProps): ReactNode {
  const [chosen, setChosen] = useState<string>();
  const [newest] = requests;
  const open = requests.find(({ state }) => isOpen(state));
  const shown = chosen ?? open?.id ?? newest?.id;
  const begin = <CreateRequest scope={scope} role={role} isFirst={!access} onBegun={() => setChosen(undefined)} />;
  if (!newest) {
    return (
      <EmptyList icon={<IconWorld aria-hidden />} title="This app exists in the sandbox only" action={begin}>
        Draft a request for the scopes that the app needs in production. Slipway adds the app’s evidence from the
        sandbox.
      </EmptyList>
    );
  }
  const go = access && <OtherEnvironmentLink organisationId={scope.organisationId} appId={access.productionAppId} />;
  return (
    <>
      {access && <LiveAccessStatusPanel access={access} action={access.isConfirmed && go} />}
      {!open && begin}
      {shown && <RequestView key={shown} scope={scope} role={role} id={shown} />}
      {requests.length > 1 && <RequestList requests={requests} shown={shown} onShow={setChosen} />}
    </>
  );
}

interface CreateRequestProps {
  scope: AppScope;
  role: Role | undefined;
  isFirst: boolean;
  onBegun: () => void;
}

function CreateRequest({ scope: { organisationId, appId }, role, isFirst, onBegun }: CreateRequestProps): ReactNode {
  const draft = useStep(organisationId, () => api.createLiveAccessRequest({ organisationId, body: { appId } }));
  return (
    <Stack gap="sm" align="flex-start">
      {draft.error && <ProblemAlert error={draft.error} />}
      <GuardedButton
        role={role}
        action="live_access.request"
        loading={draft.isPending}
        onClick={() => draft.mutate(undefined, { onSuccess: onBegun })}
      >
        {isFirst ? 'Request live access' : 'Request more'}
      </GuardedButton>
    </Stack>
  );
}
