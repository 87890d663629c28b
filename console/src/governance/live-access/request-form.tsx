// Form of a request: scopes with purpose and data handling, and the person responsible for the app.
import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type AppScope, api, type LiveAccessRequestDetail, type Role, type Scope } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { LimitedTextarea, LimitedTextInput } from '../../kit/limited-inputs.tsx';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { SCOPE_MEANING, SCOPES } from '../../kit/scopes.ts';
import { useStep } from './use-live-access.ts';

type RequestedScope = LiveAccessRequestDetail['scopes'][number];

interface RequestFormProps {
  scope: AppScope;
  role: Role | undefined;
  request: LiveAccessRequestDetail;
}

export function RequestForm({ scope: { organisationId }, role, request }: RequestFormProps): ReactNode {
  const [inputs, setWishes] = useState<RequestedScope[]>(request.scopes);
  const [contact, setContact] = useState(securityContact(request));
  const path = { organisationId, liveAccessRequestId: request.id };
  const approved = request.liveAccess?.scopes ?? [];
  const fields = ['/contacts', ...inputs.flatMap((_, at) => [`/scopes/${at}/purpose`, `/scopes/${at}/dataUse`])];
  const save = useStep(organisationId, async (isSubmitted: boolean) => {
    const others = request.contacts.filter(({ kind }) => kind !== 'security');
    const contacts = contact.email === '' ? others : [{ kind: 'security' as const, ...contact }, ...others];
    const body = { version: request.version, scopes: inputs, contacts };
    const edited = await api.updateLiveAccessRequest({ ...path, body });
    return isSubmitted ? api.submitLiveAccessRequest({ ...path, body: { version: edited.version } }) : edited;
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(true);
  };
  const toggle = (wanted: Scope, isWanted: boolean): void =>
    setWishes((was) =>
      SCOPES.flatMap((one) => {
        const known = was.find(({ scope }) => scope === one);
        if (one !== wanted) return known ? [known] : [];
        return isWanted ? [known ?? { scope: one, purpose: '', dataUse: '' }] : [];
      }),
    );
  const edit = (changed: RequestedScope): void =>
    setWishes((was) => was.map((one) => (one.scope === changed.scope ? changed : one)));
  return (
    <Panel p="md">
      <form onSubmit={submit} aria-label="Request for live access">
        <Stack>
          {save.error && <ProblemAlert error={save.error} fields={fields} />}
          {SCOPES.map((one) => (
            <RequestedScopeFields
              key={one}
              scope={one}
              wish={inputs.find(({ scope }) => scope === one)}
              errorOf={(field) =>
                fieldError(save.error, `/scopes/${inputs.findIndex(({ scope }) => scope === one)}/${field}`)
              }
              isApproved={approved.includes(one)}
              onToggle={(isWanted) => toggle(one, isWanted)}
              onEdit={edit}
            />
          ))}
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <LimitedTextInput
              label="Security contact"
              description="The person or team that is responsible for the app."
              required
              withAsterisk={false}
              most={100}
              value={contact.name}
              onChange={(event) => setContact({ ...contact, name: event.currentTarget.value })}
            />
            <TextInput
              label="Contact’s e-mail address"
              description="The address that is used if a problem occurs."
              type="email"
              required
              withAsterisk={false}
              maxLength={320}
              value={contact.email}
              error={fieldError(save.error, '/contacts')}
              onChange={(event) => setContact({ ...contact, email: event.currentTarget.value })}
            />
          </Group>
          <Group justify="flex-end">
            <GuardedButton
              role={role}
              action="live_access.request"
              variant="default"
              loading={save.isPending && !save.variables}
              onClick={() => save.mutate(false)}
            >
              Save the draft
            </GuardedButton>
            <GuardedButton
              role={role}
              action="live_access.request"
              type="submit"
              loading={save.isPending && save.variables}
            >
              Submit for review
            </GuardedButton>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function securityContact({ contacts }: LiveAccessRequestDetail): { name: string; email: string } {
  const found = contacts.find(({ kind }) => kind === 'security');
  return { name: found?.name ?? '', email: found?.email ?? '' };
}

interface RequestedScopeFieldsProps {
  scope: Scope;
  wish: RequestedScope | undefined;
  errorOf: (field: 'purpose' | 'dataUse') => string | undefined;
  isApproved: boolean;
  onToggle: (isWanted: boolean) => void;
  onEdit: (input: RequestedScope) => void;
}

function RequestedScopeFields(props: RequestedScopeFieldsProps): ReactNode {
  const { scope, wish, errorOf, isApproved, onToggle, onEdit } = props;
  return (
    <Stack gap="xs">
      <Checkbox
        checked={wish !== undefined || isApproved}
        disabled={isApproved}
        onChange={(event) => onToggle(event.currentTarget.checked)}
        label={
          <Text component="span" ff="monospace" fz={13}>
            {scope}
          </Text>
        }
        description={isApproved ? 'Already approved.' : SCOPE_MEANING[scope]}
      />
      {wish && (
        <Stack gap="xs" pl={{ base: 0, sm: 32 }}>
          <LimitedTextarea
            label={`Purpose of ${scope}`}
            description="Describe what the app needs the scope for."
            required
            withAsterisk={false}
            autosize
            minRows={2}
            maxRows={8}
            most={2000}
            value={wish.purpose}
            error={errorOf('purpose')}
            onChange={(event) => onEdit({ ...wish, purpose: event.currentTarget.value })}
          />
          <LimitedTextarea
            label={`Data use of ${scope}`}
            description="Describe which data the app reads or writes, where the data is sent, and how long it is kept."
            required
            withAsterisk={false}
            autosize
            minRows={2}
            maxRows={8}
            most={2000}
            value={wish.dataUse}
            error={errorOf('dataUse')}
            onChange={(event) => onEdit({ ...wish, dataUse: event.currentTarget.value })}
          />
        </Stack>
      )}
    </Stack>
  );
}
