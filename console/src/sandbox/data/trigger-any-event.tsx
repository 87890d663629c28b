// Triggers an event of a selected type, from any page of the app.
import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AppScope, EventType } from '../../kit/api.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { KINDS, TRIGGER_LABELS } from './kinds.ts';
import { TriggerDialog } from './trigger-dialog.tsx';

const TYPES = Object.entries(TRIGGER_LABELS).map(([value, label]) => ({ value, label: `${value}: ${label}` }));

export function TriggerAnyEvent({ scope, onClose }: { scope: AppScope; onClose: () => void }): ReactNode {
  const [type, setType] = useState<EventType>(OWN_CONTRACT ? 'ping' : 'ticket.created');
  const navigate = useNavigate();
  return (
    <TriggerDialog
      scope={scope}
      type={type}
      title="Trigger an event"
      typeInput={
        <Select
          label="Event"
          searchable
          allowDeselect={false}
          data-autofocus
          data={TYPES}
          value={type}
          onChange={(chosen) => chosen !== null && setType(chosen as EventType)} // one of the labelled types
        />
      }
      objectId={undefined}
      isOnServer={!OWN_CONTRACT && KINDS.server.changes.includes(type)}
      onDone={(object) =>
        void navigate({ to: '/in/$organisationId/apps/$appId/data', params: scope, search: { object } })
      }
      onClose={onClose}
    />
  );
}
