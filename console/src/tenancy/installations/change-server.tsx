// Pauses or resumes the installation on one server, from any page of the app.
import { Button, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppScope, Installation } from '../../kit/api.ts';
import { EnvironmentNote } from '../../kit/confirm-dialog.tsx';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { GrantForecast } from './grant-forecast.tsx';
import { stateOf, transitionsOf } from './grant-labels.ts';
import { notifyChange } from './notify-change.tsx';
import { restrictionChangesOf } from './restriction-labels.ts';
import { useChangeGrant } from './use-installations.ts';
import { useServerList } from './use-server-list.ts';

/** A server without an installation is not offered: an authorisation would grant it every scope. */
const canPauseOrResume = (server: Installation): boolean => ['authorised', 'paused'].includes(stateOf(server));

/** Returns the change that takes nothing away for good. */
function changeOf(server: Installation) {
  const changes = IS_PRODUCTION ? restrictionChangesOf(server) : transitionsOf(stateOf(server));
  return changes.find(({ state }) => state !== 'revoked');
}

export function ChangeServer({ scope, onClose }: { scope: AppScope; onClose: () => void }): ReactNode {
  const [serverId, setServerId] = useState<string | null>(null);
  const { servers, list, error: listError } = useServerList(scope);
  const change = useChangeGrant(scope);
  const offered = servers.filter(canPauseOrResume);
  const server = offered.find((one) => one.serverId === serverId);
  const next = server && changeOf(server);
  const confirm = (): void => {
    if (!server || !next) return;
    const input = { server, state: next.state };
    change.mutate(input, {
      onSuccess: (changed) => {
        notifyChange(scope, input, changed);
        onClose();
      },
    });
  };
  const error = change.error ?? listError;
  return (
    <FormDialog onClose={onClose} title="Pause or resume a server">
      <Stack>
        <EnvironmentNote />
        <Select
          label="Server"
          placeholder="Type a name"
          {...list}
          data-autofocus
          data={offered.map((one) => ({ value: one.serverId, label: one.serverName }))}
          value={serverId}
          onChange={setServerId}
        />
        <Text c="dimmed" role="status" mih={21}>
          {server && next && `The installation is ${stateOf(server)}. ${next.consequence}`}
        </Text>
        {server && next?.state === 'paused' && <GrantForecast app={scope} change={{ server }} state="paused" />}
        {error && <ProblemAlert error={error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={!next} loading={change.isPending} onClick={confirm}>
            {next?.label.replace('…', '') ?? 'Pause'}
          </Button>
        </DialogActions>
      </Stack>
    </FormDialog>
  );
}
