// The member's own settings for the mail of notices, for every environment of the organisation.
import { Button, NativeSelect, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { NoticeMailSettings } from '../../kit/api.ts';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { NoticeKinds } from './notice-kinds.tsx';
import { useNoticeMailSettings, useSetNoticeMailSettings } from './use-notices.ts';

type Timing = NonNullable<NoticeMailSettings['timing']>;

const TIMINGS = [
  { value: '', label: 'As my role' },
  { value: 'immediately', label: 'Immediately, at most one mail an hour about one cause' },
  { value: 'daily', label: 'One mail a day, at 07:00 UTC' },
  { value: 'never', label: 'No mail' },
] satisfies { value: Timing | ''; label: string }[];

export function MailSettings({ organisationId }: { organisationId: string }): ReactNode {
  const settings = useNoticeMailSettings(organisationId);
  return (
    <Stack gap="xs">
      <SectionHead title="Mail settings">
        How you receive notices by mail, in the sandbox and in production. This page lists every notice, regardless of
        these settings.
      </SectionHead>
      {settings.error && <ProblemAlert error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.isPending && <RowsSkeleton rows={6} height={36} />}
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
  return (
    <Panel p="lg">
      <form onSubmit={submit}>
        <Stack align="flex-start">
          {save.error && <ProblemAlert error={save.error} />}
          <NativeSelect
            label="Mail"
            description="As your role: owners and admins receive every notice, other members those about their own keys and endpoints."
            w="100%"
            maw={480}
            data={TIMINGS}
            value={timing ?? ''}
            onChange={(event) => setTiming((event.currentTarget.value || null) as Timing | null)} // one of TIMINGS
          />
          <NoticeKinds muted={muted} isDisabled={timing === 'never'} onChange={setMuted} />
          <Button type="submit" loading={save.isPending}>
            Save mail settings
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}
