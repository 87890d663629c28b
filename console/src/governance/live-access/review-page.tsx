// Shows one request to a reviewer: its content, the evidence that was frozen with it, and the decision.
import { Alert, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LiveAccessReview } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import notes from '../../kit/notes.module.css';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { DecisionForm } from './decision-form.tsx';
import { EvidencePanel } from './evidence-panel.tsx';
import { History } from './history.tsx';
import { STATE_LABELS } from './labels.ts';
import { RequestedAccess } from './requested-access.tsx';
import { LiveAccessStatusActions } from './status-actions.tsx';
import { LiveAccessStatusPanel } from './status-panel.tsx';
import { useReview } from './use-live-access.ts';

const route = getRouteApi('/shell/operator/live-access/$requestId');

export function ReviewPage(): ReactNode {
  const { requestId } = route.useParams();
  const review = useReview(requestId);
  useTitle(review.data?.request.appName ?? 'A request', 'Live access');
  return (
    <Stack gap="lg">
      <AnchorLink to="/operator/live-access">All requests</AnchorLink>
      {review.error && <ProblemAlert error={review.error} onRetry={() => void review.refetch()} />}
      {review.isPending && <RowsSkeleton rows={8} />}
      {review.data && <Review review={review.data} />}
    </Stack>
  );
}

function Review({ review }: { review: LiveAccessReview }): ReactNode {
  const { request, organisationName, isOwn } = review;
  const { state, scopes, submission, liveAccess } = request;
  const [tone, word] = STATE_LABELS[state];
  return (
    <>
      <Group gap="sm" align="flex-end">
        <SectionHead title={request.appName}>
          {organisationName} requests it, submitted by {request.submittedBy}.
        </SectionHead>
        <StateBadge tone={tone}>{word}</StateBadge>
      </Group>
      {isOwn && (
        <Alert className={notes.warning ?? ''} title="Another operator must decide">
          <Text>
            You are a member of the organisation, or took part in the request. You can still suspend or revoke live
            access.
          </Text>
        </Alert>
      )}
      {liveAccess && (
        <LiveAccessStatusPanel
          access={liveAccess}
          action={<LiveAccessStatusActions review={review} access={liveAccess} />}
        />
      )}
      <RequestedAccess request={request} />
      {submission && (
        <EvidencePanel
          evidence={submission.evidence}
          scopes={scopes.map(({ scope }) => scope)}
          sha256={submission.sha256}
        />
      )}
      {state === 'submitted' && !isOwn && <DecisionForm key={request.version} request={request} />}
      <History steps={request.history} />
    </>
  );
}
