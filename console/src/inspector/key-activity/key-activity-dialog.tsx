// Shows everything that was done with a key, by the records, and what the records do not show.
import { Box, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { keyActivityTable } from '@slipway/sdk/management';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type AppScope, defined, type KeyActivity } from '../../kit/api.ts';
import { EnvironmentNote } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { counted, grouped } from '../../kit/number.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { exactTime, fromLocalInput, toLocalInput } from '../../kit/time.ts';
import { useFilters } from '../requests/filters.ts';
import { RequestHistogram } from '../requests/histogram.tsx';
import { useKeyActivity } from './use-key-activity.ts';

type ActivityEntry = KeyActivity['entries'][number];

const KINDS: readonly [kind: ActivityEntry['kind'], title: string][] = [
  ['operation', 'Operations'],
  ['server', 'Servers'],
  ['address', 'Addresses'],
  ['member', 'Members who called with the key'],
  ['event', 'Events caused'],
  ['object', 'Objects written'],
  ['receiver', 'Receivers of these events'],
  ['key_receiver', 'Receivers of deliveries through the key'],
];
const MAX_ROWS = 20;

interface KeyActivityDialogProps {
  scope: AppScope;
  keyId: string;
  /** Undefined while the keys are not known. */
  name: string | undefined;
  /** Undefined: the creation of the key. */
  since: string | undefined;
  onSince: (since: string | undefined) => void;
  onClose: () => void;
}

export function KeyActivityDialog({ scope, keyId, name, since, onSince, onClose }: KeyActivityDialogProps): ReactNode {
  const { activity, error } = useKeyActivity(scope, keyId, since);
  const isComplete = activity?.nextCursor === null;
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={name === undefined ? 'Activity of a key' : `Activity of “${name}”`}
    >
      <Stack>
        <EnvironmentNote />
        <SinceForm key={since} since={since} onSince={onSince} />
        {error && <ProblemAlert error={error} />}
        <Box role="status" aria-label="Summary" mih={66}>
          {!error && !activity && <Text fz="sm">Reading the records …</Text>}
          {activity && <Summary scope={scope} activity={activity} />}
        </Box>
        {activity && <KeyRequests scope={scope} keyId={keyId} since={since} />}
        {activity && KINDS.map(([kind, title]) => <Entries key={kind} kind={kind} title={title} activity={activity} />)}
        <DialogActions>
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
          <DownloadButton
            format="JSON"
            isReady={isComplete}
            onSave={() => saveFile(`${keyId}.json`, `${JSON.stringify(activity, null, 2)}\n`, 'application/json')}
          />
          <DownloadButton
            format="CSV"
            isReady={isComplete}
            onSave={() => activity && saveFile(`${keyId}.csv`, keyActivityTable(activity), 'text/csv')}
          />
        </DialogActions>
      </Stack>
    </Modal>
  );
}

/** Draws the requests with the key over time, by default those of the last day. A bar leads to its requests. */
function KeyRequests({ scope, keyId, since }: Pick<KeyActivityDialogProps, 'scope' | 'keyId' | 'since'>): ReactNode {
  const navigate = useNavigate();
  const search = { key: keyId, ...defined({ since }) };
  return (
    <RequestHistogram
      scope={scope}
      search={search}
      filters={useFilters(search)}
      isLive={false}
      onNarrow={(time) =>
        void navigate({
          to: '/in/$organisationId/apps/$appId/requests',
          params: scope,
          search: { ...search, ...time },
        })
      }
    />
  );
}

function SinceForm({ since, onSince }: Pick<KeyActivityDialogProps, 'since' | 'onSince'>): ReactNode {
  const [value, setValue] = useState(toLocalInput(since));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSince(fromLocalInput(value));
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Since, in your time zone"
          description="Without a time, the activity begins with the creation of the key."
          type="datetime-local"
          step={1}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Show
        </Button>
      </Group>
    </form>
  );
}

interface DownloadButtonProps {
  format: string;
  isReady: boolean;
  onSave: () => void;
}

function DownloadButton({ format, isReady, onSave }: DownloadButtonProps): ReactNode {
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} disabled={!isReady} onClick={onSave}>
      Download {format}
    </Button>
  );
}

function Summary({ scope, activity }: { scope: AppScope; activity: KeyActivity }): ReactNode {
  const { keyId, requests, since, entries } = activity;
  const eventCount = entries.reduce((sum, { kind, count }) => (kind === 'event' ? sum + count : sum), 0);
  const objectCount = entries.filter(({ kind }) => kind === 'object').length;
  return (
    <>
      <Text fz="sm">
        <AnchorLink
          to="/in/$organisationId/apps/$appId/requests"
          params={scope}
          search={{ key: keyId }}
          inherit
          underline="always"
        >
          {counted(requests, 'request')}
        </AnchorLink>{' '}
        since {exactTime(since)} caused {counted(eventCount, 'event')} about {counted(objectCount, 'object')}.
      </Text>
      <Text fz="sm" c="dimmed">
        {gapsOf(activity).join(' ')}
      </Text>
    </>
  );
}

/** Returns the progress, and what the records do not show, as sentences. */
function gapsOf({ progress, lostRecords, writesWithoutEvent, oldestRecordAt }: KeyActivity): string[] {
  return [
    ...(progress < 1 ? [`${Math.floor(progress * 100)} % of the records are read.`] : []),
    oldestRecordAt === null
      ? 'There are no records of requests.'
      : `The oldest record is of ${exactTime(oldestRecordAt)}.`,
    'Records do not show which objects a read returned.',
    ...(lostRecords > 0 ? [`For ${counted(lostRecords, 'request')} of the app, the record was lost.`] : []),
    ...(writesWithoutEvent > 0 ? [`For ${counted(writesWithoutEvent, 'change')}, no event is stored.`] : []),
  ];
}

const columnsOf = (title: string): readonly Column<ActivityEntry>[] => [
  { head: title, cell: ({ name }) => name ?? 'not recorded', wraps: true },
  { head: 'Count', w: 90, align: 'right', cell: ({ count }) => grouped(count) },
  {
    head: 'Succeeded',
    w: 100,
    align: 'right',
    from: 'sm',
    cell: ({ succeeded }) => (succeeded === null ? '' : grouped(succeeded)),
  },
  { head: 'Last', w: 230, from: 'sm', cell: ({ lastAt }) => exactTime(lastAt) },
];

interface EntriesProps {
  kind: ActivityEntry['kind'];
  title: string;
  activity: KeyActivity;
}

function Entries({ kind, title, activity }: EntriesProps): ReactNode {
  const entries = activity.entries.filter((entry) => entry.kind === kind);
  if (entries.length === 0) return null;
  const left = entries.length - MAX_ROWS;
  return (
    <section>
      <DataTable
        label={title}
        fz="sm"
        columns={columnsOf(title)}
        rows={entries.slice(0, MAX_ROWS)}
        rowKey={({ name }) => name ?? ''}
      />
      {left > 0 && (
        <Text fz="xs" c="dimmed">
          {grouped(left)} more in the download.
        </Text>
      )}
    </section>
  );
}
