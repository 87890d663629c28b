// The member's own settings for the mail of notices, for every environment of the organisation.
import { Button, Checkbox, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { NoticeMailSettings } from '../../kit/api.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useNoticeMailSettings, useSetNoticeMailSettings } from './use-notices.ts';

type Timing = NonNullable<NoticeMailSettings['timing']>;
type MailedKind = NoticeMailSettings['mutedKinds'][number];

const TIMINGS = [
  { value: '', label: 'As my role: owners and admins all, others their own objects' },
  { value: 'immediately', label: 'Immediately, at most one mail an hour about one cause' },
  { value: 'daily', label: 'One mail a day, at 07:00 UTC' },
  { value: 'never', label: 'No mail' },
] satisfies { value: Timing | ''; label: string }[];

const KIND_LABELS: Record<MailedKind, string> = {
  key_expires: 'A key expires',
  key_leaked: 'A key was reported as leaked',
  key_in_browser: 'A page in a browser used a key',
  endpoint_failing: 'An endpoint fails',
  endpoint_recovered: 'An endpoint works again',
  endpoint_disabled: 'An endpoint was disabled',
  delivery_exhausted: 'A delivery failed for the last time',
  endpoint_keys_end: 'The last key of an endpoint expires',
  installation_paused: 'A server paused an app',
  installation_revoked: 'A server revoked an app',
  event_scopes: 'Events need further scopes',
  live_access_decided: 'A reviewer decided about live access',
};
const KINDS = Object.keys(KIND_LABELS) as MailedKind[]; // the keys of the record above

export function MailSettings({ organisationId }: { organisationId: string }): ReactNode {
  const settings = useNoticeMailSettings(organisationId);
  return (
    <Stack gap="xs">
      <SectionHead title="Mail settings">
        How you receive notices by mail, in the sandbox and in production. This page lists every notice, regardless of
        these settings.
      </SectionHead>
      {settings.error && <ProblemAlert error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && <SettingsForm organisationId={organisationId} saved={settings.data} />}
    </Stack>
  );
}

function SettingsForm({ organisationId, saved }: { organisationId: string; saved: NoticeMailSettings }): ReactNode {
  const [timing, setTiming] = useState<Timing | null>(saved.timing);
  const [muted, setMuted] = useState(saved.mutedKinds);
  const save = useSetNoticeMailSettings(organisationId, () =>
    notifications.show({ color: 'teal', message: 'Your mail settings were saved.' }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ timing, mutedKinds: muted });
  };
  const received = KINDS.filter((kind) => !muted.includes(kind));
  return (
    <Panel p="lg">
      <form onSubmit={submit}>
        <Stack align="flex-start">
          {save.error && <ProblemAlert error={save.error} />}
          <NativeSelect
            label="Mail"
            w="100%"
            maw={480}
            data={TIMINGS}
            value={timing ?? ''}
            onChange={(event) => setTiming((event.currentTarget.value || null) as Timing | null)} // one of TIMINGS
          />
          <Checkbox.Group
            label="Notices"
            value={received}
            onChange={(chosen) =>
              // A kind of a newer server, which this page does not know, stays as it is.
              setMuted(
                KINDS.filter((kind) => !chosen.includes(kind)).concat(muted.filter((kind) => !KINDS.includes(kind))),
              )
            }
          >
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
              {KINDS.map((kind) => (
                <Checkbox key={kind} value={kind} label={KIND_LABELS[kind]} disabled={timing === 'never'} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Button type="submit" loading={save.isPending}>
            Save mail settings
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}
