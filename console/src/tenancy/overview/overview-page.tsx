// Overview of an app: the five steps of the first run, and the summary. Once all steps are done, the summary comes
// first and the steps are folded.

import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { ChartsSkeleton } from '../../kit/chart-panel.tsx';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { Fold } from '../../kit/fold.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../apps/use-app.ts';
import { EventScopesSection } from '../event-scopes/event-scopes-section.tsx';
import { useEventScopes } from '../event-scopes/use-event-scopes.ts';
import { CallStep } from './call-step.tsx';
import { DeliveryStep } from './delivery-step.tsx';
import { EndpointStep } from './endpoint-step.tsx';
import { FirstSteps } from './first-steps.tsx';
import { KeyStep } from './key-step.tsx';
import { LiveStep } from './live-step.tsx';
import { ProductionOverview } from './production-overview.tsx';
import { RecentActivity, RecentActivityHead } from './recent-activity.tsx';
import { type Progress, STEPS, useProgress } from './use-progress.ts';

export function OverviewPage(): ReactNode {
  const scope = useAppScope();
  useTitle('Overview', useApp(scope).data?.name);
  return IS_PRODUCTION ? <ProductionOverview scope={scope} /> : <SandboxOverview scope={scope} />;
}

function SandboxOverview({ scope }: { scope: AppScope }): ReactNode {
  const progress = useProgress(scope);
  // The section is at the top, so the page waits for it. Otherwise the content would move when it arrives.
  const rule = useEventScopes(scope);
  if (progress.error) return <ProblemAlert error={progress.error} onRetry={progress.retry} />;
  if (!progress.isPending && !rule.isPending) return <Overview key={scope.appId} scope={scope} progress={progress} />;
  // Most apps have completed the steps, so the skeleton has that layout.
  return (
    <Stack gap="xl">
      <Stack>
        <RecentActivityHead scope={scope} />
        <ChartsSkeleton label="Loading the progress of this app" />
      </Stack>
      <RowsSkeleton rows={9} height={28} />
    </Stack>
  );
}

const StepsHead = ({ children }: { children: string }): ReactNode => (
  <SectionHead title="First steps">{children}</SectionHead>
);

function Overview({ scope, progress }: { scope: AppScope; progress: Progress }): ReactNode {
  // Fixed when the page opens, so that the content does not move during a step.
  const [wasThrough] = useState(progress.doneCount === STEPS);
  const steps = (
    <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
      <KeyStep scope={scope} progress={progress} />
      <CallStep scope={scope} progress={progress} />
      <LiveStep scope={scope} progress={progress} />
      <EndpointStep scope={scope} progress={progress} />
      <DeliveryStep scope={scope} progress={progress} />
    </Stack>
  );
  const glance = progress.hasCall && <RecentActivity scope={scope} />;
  return (
    <Stack gap="xl">
      <EventScopesSection scope={scope} />
      {wasThrough && glance}
      <Stack>
        <StepsHead>{stepsSentence(progress.doneCount)}</StepsHead>
        <FirstSteps scope={scope} progress={progress} />
        {wasThrough ? <Fold summary="Show the steps">{steps}</Fold> : steps}
      </Stack>
      {!wasThrough && glance}
    </Stack>
  );
}

const stepsSentence = (done: number): string => `${done} of ${STEPS} steps ${done === 1 ? 'is' : 'are'} done.`;
