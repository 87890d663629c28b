// Shows and changes the settings of an endpoint.
import { Button, Checkbox, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ChangeForecast } from '../../inspector/forecasts/change-forecast.tsx';
import type { Endpoint, EndpointChange, EventType } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { LimitedNumberInput, LimitedTextInput } from '../../kit/limited-inputs.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { useRefusalReason } from '../../kit/roles.ts';
import { useSame } from '../../kit/use-same.ts';
import { GenerateKey } from '../../tenancy/keys/generate-key.tsx';
import { type ConditionDraft, useConditionDraft } from './condition-draft.ts';
import type { EndpointContext } from './endpoint-frame.tsx';
import { useVersionsOf } from './event-types.ts';
import { EventTypesInput } from './event-types-input.tsx';
import { FILTER_FIELDS, FilterInput } from './filter-input.tsx';
import { HeadersInput } from './headers-input.tsx';
import { KeysInput, useUsableKeys } from './keys-input.tsx';
import { isListener } from './listener.tsx';
import { changeOf, type HeaderChanges, type Settings, settingsOf } from './settings.ts';
import { UrlInput } from './url-input.tsx';
import { useUpdateEndpoint } from './use-endpoints.ts';

const FORECAST_DELAY_MS = 400;
const FIELDS = [
  ...['/url', '/keyIds', '/description', '/eventTypes', '/ratePerSecond', '/scheduleSpeed', '/headers'],
  ...FILTER_FIELDS,
];

export function EndpointSettings({ scope, endpoint, role }: EndpointContext): ReactNode {
  const [edits, setEdits] = useState<Partial<Settings>>({});
  const [headers, setHeaders] = useState<HeaderChanges>({});
  const draft = useConditionDraft();
  const [isGenerating, setGenerating] = useState(false);
  const usableOf = useUsableKeys(scope);
  const update = useUpdateEndpoint(scope, endpoint.id);
  const reason = useRefusalReason(role, 'endpoints.change');
  const keyEdits = edits.keyIds && { keyIds: usableOf(edits.keyIds) };
  const settings = { ...settingsOf(endpoint), ...edits, ...keyEdits };
  const change = changeOf(endpoint, { ...settings, conditions: draft.addTo(settings.conditions) }, headers);
  const isChanged = Object.keys(change).length > 0;
  const filter = useSame(change, () => filterChangeOf(change));
  const [forecastFilter] = useDebouncedValue(filter, FORECAST_DELAY_MS); // a condition changes with each key
  const set = (part: Partial<Settings>): void => setEdits({ ...edits, ...part });
  const discard = (): void => {
    setEdits({});
    setHeaders({});
    draft.reset();
    update.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isChanged || settings.eventTypes.length === 0 || settings.keyIds.length === 0) return;
    update.mutate(change, {
      onSuccess: () => {
        discard();
        notifications.show({
          color: 'teal',
          title: 'The endpoint was changed',
          message:
            'Settings apply to new and waiting deliveries; a changed filter or schema version applies to later events only. Waiting retries move to a new schedule within seconds.',
        });
      },
    });
  };
  return (
    <Panel p="md" role="region" aria-label="Settings">
      <form onSubmit={submit}>
        <Stack>
          <SectionHead title="Settings" order={3}>
            Changes apply immediately, also to waiting deliveries. A changed filter or schema version applies to later
            events only.
          </SectionHead>
          <Fieldset variant="unstyled" disabled={reason !== undefined}>
            <Stack>
              <SettingsFields
                scope={scope}
                settings={settings}
                error={update.error}
                onChange={set}
                draft={draft}
                onGenerate={() => setGenerating(true)}
              />
              <HeadersInput
                names={endpoint.headerNames}
                changes={headers}
                isListener={isListener(settings.url)}
                onChange={setHeaders}
                error={fieldError(update.error, '/headers')}
              />
            </Stack>
          </Fieldset>
          {update.error && <ProblemAlert error={update.error} fields={FIELDS} />}
          {filter && forecastFilter && (
            <ChangeForecast scope={scope} change={{ endpoint: { endpointId: endpoint.id, ...forecastFilter } }} />
          )}
          <Group>
            <GuardedButton
              role={role}
              action="endpoints.change"
              type="submit"
              disabled={!isChanged && draft.isEmpty}
              loading={update.isPending}
            >
              Save the settings
            </GuardedButton>
            {(isChanged || !draft.isEmpty) && (
              <Button variant="subtle" onClick={discard}>
                Discard
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      {isGenerating && (
        <GenerateKey
          scope={scope}
          initial={{ name: '', scopes: ['events:read'] }}
          onCreated={(keyId) => set({ keyIds: [...settings.keyIds, keyId] })}
          onClose={() => setGenerating(false)}
        />
      )}
    </Panel>
  );
}

/** Returns the changed parts of the filter; undefined without any. */
function filterChangeOf({ eventTypes, serverIds, conditions }: EndpointChange) {
  const hasTypes = eventTypes !== undefined && eventTypes.length > 0;
  if (!hasTypes && serverIds === undefined && conditions === undefined) return undefined;
  return {
    ...(hasTypes && { eventTypes }),
    ...(serverIds !== undefined && { serverIds }),
    ...(conditions !== undefined && { conditions }),
  };
}

interface SettingsFieldsProps {
  scope: EndpointContext['scope'];
  settings: Settings;
  error: Error | null;
  onChange: (part: Partial<Settings>) => void;
  draft: ConditionDraft;
  onGenerate: () => void;
}

function SettingsFields({ scope, settings, error, onChange, draft, onGenerate }: SettingsFieldsProps): ReactNode {
  const { eventTypes, schemaVersions } = settings;
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <UrlInput value={settings.url} onChange={(url) => onChange({ url })} error={fieldError(error, '/url')} />
        <KeysInput
          scope={scope}
          value={settings.keyIds}
          onChange={(keyIds) => onChange({ keyIds })}
          onGenerate={onGenerate}
          error={settings.keyIds.length === 0 ? 'Select a key of the endpoint.' : fieldError(error, '/keyIds')}
        />
      </SimpleGrid>
      <LimitedTextInput
        label="Description"
        most={200}
        value={settings.description}
        error={fieldError(error, '/description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <EventTypesInput
        value={eventTypes}
        onChange={(types) => onChange({ eventTypes: types })}
        error={eventTypes.length === 0 ? 'Select at least one type.' : fieldError(error, '/eventTypes')}
        renderAside={(type) => (
          <VersionSelect
            type={type}
            value={schemaVersions[type]}
            onChange={(version) => onChange({ schemaVersions: { ...schemaVersions, [type]: version } })}
          />
        )}
      />
      <FilterInput scope={scope} value={settings} onChange={onChange} draft={draft} error={error} />
      <Pacing settings={settings} error={error} onChange={onChange} />
    </>
  );
}

interface VersionSelectProps {
  type: EventType;
  /** Undefined: an event type that was just added gets the newest version. */
  value: number | undefined;
  onChange: (version: number) => void;
}

function VersionSelect({ type, value, onChange }: VersionSelectProps): ReactNode {
  const versions = useVersionsOf()(type);
  const shown = value ?? versions[0];
  if (versions.length < 2) return <Text c="dimmed">{shown === undefined ? '' : `version ${shown}`}</Text>;
  return (
    <NativeSelect
      aria-label={`Schema version of ${type}`}
      size="xs"
      data={versions.map((one) => ({ value: String(one), label: `version ${one}` }))}
      value={String(shown)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}

const SPEEDS = [
  { value: '1', label: 'As in production: ten attempts in 75 hours' },
  { value: '60', label: '60 times faster: in 75 minutes' },
  { value: '3600', label: '3,600 times faster: in 75 seconds' },
] satisfies { value: `${Endpoint['scheduleSpeed']}`; label: string }[];

function Pacing({
  settings,
  error,
  onChange,
}: Pick<SettingsFieldsProps, 'settings' | 'error' | 'onChange'>): ReactNode {
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <LimitedNumberInput
          label="Attempts per second"
          description="The largest number of attempts that start in a second. Leave the field empty for no limit."
          placeholder="No limit"
          min={1}
          max={1000}
          allowDecimal={false}
          value={settings.ratePerSecond}
          error={fieldError(error, '/ratePerSecond')}
          onChange={(ratePerSecond) => onChange({ ratePerSecond })}
        />
        <NativeSelect
          label="Retry schedule"
          description="Faster in the sandbox only. Waiting retries move with it; held deliveries keep their due time."
          data={SPEEDS}
          value={String(settings.scheduleSpeed)}
          error={fieldError(error, '/scheduleSpeed')}
          onChange={
            (event) => onChange({ scheduleSpeed: Number(event.currentTarget.value) as Endpoint['scheduleSpeed'] }) // one of SPEEDS
          }
        />
      </SimpleGrid>
      <Checkbox
        label="In order per subject"
        description="Deliveries of one subject are sent one after another. A failed delivery delays later ones."
        checked={settings.isOrdered}
        onChange={(event) => onChange({ isOrdered: event.currentTarget.checked })}
      />
    </>
  );
}
