// The first run, as far as it has come: a key, a call, the call in the inspector, an endpoint, a delivery.
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../apps/use-app.ts';
import { CallStep } from './call-step.tsx';
import { DeliveryStep } from './delivery-step.tsx';
import { EndpointStep } from './endpoint-step.tsx';
import { KeyStep } from './key-step.tsx';
import { LiveStep } from './live-step.tsx';
import { useProgress } from './use-progress.ts';

export function OverviewPage(): ReactNode {
  const scope = useAppScope();
  useTitle('Overview', useApp(scope).data?.name);
  const progress = useProgress(scope);
  if (progress.error) return <ProblemAlert error={progress.error} onRetry={progress.retry} />;
  return (
    <Stack>
      <SectionHead title="From nothing to the first delivery">
        {progress.isPending ? 'Looking at how far this app has come…' : `${progress.doneCount} of 5 steps are done.`}
      </SectionHead>
      {progress.isPending ? (
        <RowsSkeleton rows={9} height={28} />
      ) : (
        <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
          <KeyStep scope={scope} progress={progress} />
          <CallStep scope={scope} progress={progress} />
          <LiveStep scope={scope} progress={progress} />
          <EndpointStep scope={scope} progress={progress} />
          <DeliveryStep scope={scope} progress={progress} />
        </Stack>
      )}
    </Stack>
  );
}
