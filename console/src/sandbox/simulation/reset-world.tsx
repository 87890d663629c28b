// Resets the sandbox data: asks for preset and seed, and describes the consequences.
import { List, NativeSelect, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import type { AppScope, World } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { LimitedNumberInput, LimitedTextInput } from '../../kit/limited-inputs.tsx';
import { grouped } from '../../kit/number.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { fieldError } from '../../kit/problem-text.ts';
import { useResetWorld, type WorldOrigin } from './use-simulation.ts';
import { countsOf, PRESET_MEANING, PRESETS } from './world-labels.ts';

const MAX_EPOCH = 1_000_000;

interface ResetWorldProps {
  scope: AppScope;
  world: World;
  onClose: () => void;
}

export function ResetWorld({ scope, world, onClose }: ResetWorldProps): ReactNode {
  const { preset, seed, epoch } = world;
  const [origin, setOrigin] = useState<WorldOrigin>({ preset, seed, epoch });
  const reset = useResetWorld(scope);
  const confirm = (): void =>
    reset.mutate(
      { ...origin, seed: origin.seed.trim() },
      {
        onSuccess: ({ counts }) => {
          notifications.show({
            color: 'teal',
            title: 'The sandbox data was reset',
            message: `It holds ${countsOf(counts)
              .slice(0, 2)
              .map(({ label, count }) => `${grouped(count)} ${label.toLowerCase()}`)
              .join(' and ')}.`,
          });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      isOpen
      title="Reset the sandbox data of this app?"
      action="Reset the data"
      isPending={reset.isPending}
      error={reset.error}
      fields={['/seed']}
      onConfirm={confirm}
      onClose={onClose}
    >
      <OriginFields value={origin} onChange={setOrigin} seedError={fieldError(reset.error, '/seed')} />
      <Consequences />
    </ConfirmDialog>
  );
}

interface OriginFieldsProps {
  value: WorldOrigin;
  onChange: (origin: WorldOrigin) => void;
  seedError: string | undefined;
}

function OriginFields({ value, onChange, seedError }: OriginFieldsProps): ReactNode {
  return (
    <Stack gap="sm">
      <NativeSelect
        label="Preset"
        description={PRESET_MEANING[value.preset]}
        data={PRESETS}
        value={value.preset}
        onChange={(event) => onChange({ ...value, preset: event.currentTarget.value as World['preset'] })} // one of PRESETS
      />
      <LimitedTextInput
        label="Seed"
        description="Another seed gives other names and texts. The same seed gives the same identifiers on any machine."
        most={100}
        value={value.seed}
        error={seedError}
        onChange={(event) => onChange({ ...value, seed: event.currentTarget.value })}
      />
      <LimitedNumberInput
        label="Epoch"
        description="Another epoch gives every object a new identifier."
        min={0}
        max={MAX_EPOCH}
        allowDecimal={false}
        value={value.epoch}
        onChange={(epoch) => onChange({ ...value, epoch: Number(epoch) })}
      />
    </Stack>
  );
}

function Consequences(): ReactNode {
  return (
    <Stack gap={4}>
      <Text fw={550}>Kept</Text>
      <List size="sm" spacing={4}>
        <List.Item>Keys, endpoints, fault rules, and the records of requests and deliveries.</List.Item>
        <List.Item>
          Grants of servers that exist in the new data. A larger preset of the same seed keeps them all.
        </List.Item>
        <List.Item>Past events, visible while their server exists.</List.Item>
      </List>
      <Text fw={550} mt={6}>
        Removed
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          {OWN_CONTRACT ? 'Objects' : 'Tickets and workflow runs'}, including those of your integration.
        </List.Item>
        <List.Item>
          Servers that are not in the new data, with their grants. Deliveries that wait for their events are cancelled.
        </List.Item>
      </List>
    </Stack>
  );
}
