// Simulation page: fault rules, which tests use most, then the sandbox data with its clock.
import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { HiddenUntilKnown } from '../../kit/list-states.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../../tenancy/apps/use-app.ts';
import { ClockPanel } from './clock-panel.tsx';
import { Faults } from './faults.tsx';
import { SingleCall } from './single-call.tsx';
import { TriggerEvent } from './trigger-event.tsx';
import { useFaults, useWorld } from './use-simulation.ts';
import { WorldPanel } from './world-panel.tsx';

export function SimulationPage(): ReactNode {
  const scope = useAppScope();
  useTitle('Simulation', useApp(scope).data?.name);
  const own = { scope, role: useMembership(scope.organisationId)?.role };
  const world = useWorld(scope);
  // Nothing below the rules is shown before their number is known.
  const areFaultsKnown = !useFaults(scope).isPending;
  return (
    <Stack gap="xl">
      <Faults {...own} />
      <HiddenUntilKnown isKnown={areFaultsKnown}>
        <Stack gap="xl">
          {world.error && <ProblemAlert error={world.error} onRetry={() => void world.refetch()} />}
          {world.isPending && <Skeleton height={420} radius="sm" aria-label="Loading the sandbox data" role="status" />}
          {world.data && (
            <>
              <WorldPanel {...own} world={world.data} />
              <ClockPanel {...own} world={world.data} />
              <TriggerEvent {...own} />
            </>
          )}
        </Stack>
      </HiddenUntilKnown>
      <HiddenUntilKnown isKnown={areFaultsKnown && !world.isPending}>
        <SingleCall scope={scope} />
      </HiddenUntilKnown>
    </Stack>
  );
}
