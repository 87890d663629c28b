// Form of a new endpoint.

import { Button, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AppScope, Endpoint } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { ENVIRONMENT_PHRASE } from '../../kit/environments.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { LimitedTextInput } from '../../kit/limited-inputs.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { useFocusFirstInvalid } from '../../kit/use-first-invalid.ts';
import { GenerateKey } from '../../tenancy/keys/generate-key.tsx';
import { useConditionDraft } from './condition-draft.ts';
import { FIRST_EVENT_TYPES } from './event-types.ts';
import { EventTypesInput } from './event-types-input.tsx';
import { type EndpointFilter, FILTER_FIELDS, FilterInput } from './filter-input.tsx';
import { KeysInput, useOnlyFittingKey, useUsableKeys } from './keys-input.tsx';
import { UrlInput } from './url-input.tsx';
import type { useCreateEndpoint } from './use-endpoints.ts';

interface EndpointFormProps {
  scope: AppScope;
  create: ReturnType<typeof useCreateEndpoint>;
  onClose: () => void;
}

const FIELDS = ['/url', '/keyIds', '/eventTypes', ...FILTER_FIELDS, '/description'];
const NO_FILTER = { serverIds: null, conditions: [] };

export function EndpointForm({ scope, create, onClose }: EndpointFormProps): ReactNode {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<string[]>();
  const [isGenerating, setGenerating] = useState(false);
  const usableOf = useUsableKeys(scope);
  const onlyKey = useOnlyFittingKey(scope);
  const keyIds = usableOf(chosen ?? (onlyKey === undefined ? [] : [onlyKey]));
  const [eventTypes, setEventTypes] = useState<Endpoint['eventTypes']>(FIRST_EVENT_TYPES);
  const [filter, setFilter] = useState<Pick<EndpointFilter, 'serverIds' | 'conditions'>>(NO_FILTER);
  const draft = useConditionDraft();
  const [description, setDescription] = useState('');
  const [tries, setTries] = useState(0);
  const form = useFocusFirstInvalid(create.error ?? tries);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTries(tries + 1);
    if (keyIds.length > 0 && eventTypes.length > 0)
      create.mutate({
        url,
        keyIds,
        eventTypes,
        serverIds: filter.serverIds,
        conditions: draft.addTo(filter.conditions),
        description: description.trim(),
      });
  };
  const problemOf = (pointer: string, isMissing: boolean, sentence: string): string | undefined =>
    tries > 0 && isMissing ? sentence : fieldError(create.error, pointer);
  return (
    <FormDialog onClose={onClose} title={`Add an endpoint in ${ENVIRONMENT_PHRASE}`} size="lg">
      <form onSubmit={submit} ref={form}>
        <Stack>
          {create.error && <ProblemAlert error={create.error} fields={FIELDS} />}
          <UrlInput value={url} onChange={setUrl} error={fieldError(create.error, '/url')} />
          <KeysInput
            scope={scope}
            value={keyIds}
            onChange={setChosen}
            onGenerate={() => setGenerating(true)}
            error={problemOf('/keyIds', keyIds.length === 0, 'Select a key of the endpoint.')}
          />
          <EventTypesInput
            value={eventTypes}
            onChange={setEventTypes}
            error={problemOf('/eventTypes', eventTypes.length === 0, 'Select at least one type.')}
          />
          <FilterInput
            scope={scope}
            value={{ eventTypes, ...filter }}
            onChange={(part) => setFilter({ ...filter, ...part })}
            draft={draft}
            error={create.error}
          />
          <LimitedTextInput
            label="Description (optional)"
            most={200}
            value={description}
            error={fieldError(create.error, '/description')}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Add
            </Button>
          </DialogActions>
        </Stack>
      </form>
      {isGenerating && (
        <GenerateKey
          scope={scope}
          initial={{ name: '', scopes: ['events:read'] }}
          onCreated={(keyId) => setChosen([...keyIds, keyId])}
          onClose={() => setGenerating(false)}
        />
      )}
    </FormDialog>
  );
}
