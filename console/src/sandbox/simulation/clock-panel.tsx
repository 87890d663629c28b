// Clock of the sandbox data: its speed and its end.
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { World } from '../../kit/api.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useRefusalReason } from '../../kit/roles.ts';
import { type Speed, useSetSpeed } from './use-simulation.ts';
import { SPEED_MEANING, SPEEDS, spanOf } from './world-labels.ts';
import type { WorldProps } from './world-panel.tsx';

export function ClockPanel({ scope, role, world }: WorldProps): ReactNode {
  const set = useSetSpeed(scope);
  const reason = useRefusalReason(role, 'world.change');
  const { speed } = world.clock;
  return (
    <Stack>
      <SectionHead title="Clock">
        {OWN_CONTRACT
          ? 'Speed at which objects change. '
          : 'Speed at which tickets are answered, publications appear and roadmap items move. '}
        The clock stops while the app has no valid key or is suspended.
      </SectionHead>
      <Panel p="lg">
        <Stack>
          {set.error && <ProblemAlert error={set.error} />}
          <Group justify="space-between">
            <SegmentedControl<Speed>
              aria-label="Speed of the clock"
              data={SPEEDS}
              value={set.isPending ? set.variables : speed}
              disabled={reason !== undefined}
              onChange={(next) => set.mutate(next)}
            />
            {speed !== '1x' && reason === undefined && (
              <Button
                variant="default"
                leftSection={<IconPlayerPlay size={16} aria-hidden />}
                onClick={() => set.mutate('1x')}
              >
                Back to normal
              </Button>
            )}
          </Group>
          {reason && <Text c="dimmed">{reason}</Text>}
          <ClockSentence clock={world.clock} />
        </Stack>
      </Panel>
    </Stack>
  );
}

function ClockSentence({ clock }: { clock: World['clock'] }): ReactNode {
  const { speed, speedUntil, elapsedSeconds, nextTickAt } = clock;
  return (
    <Stack gap={2}>
      <Text>
        <span aria-live="polite">{SPEED_MEANING[speed]}</span>
        {speedUntil && (
          <>
            {' '}
            The speed returns to 1x <RelativeTime at={speedUntil} />.
          </>
        )}
      </Text>
      <Text c="dimmed">
        {elapsedSeconds === 0
          ? 'Nothing has happened since the data was created'
          : `${spanOf(elapsedSeconds)} of simulated time have passed since the data was created`}
        {nextTickAt && !speedUntil && (
          <>
            ; the next change happens <RelativeTime at={nextTickAt} />
          </>
        )}
        .
      </Text>
    </Stack>
  );
}
