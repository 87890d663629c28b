// Table of notices with links to their objects. External values are shown as text and never as links.
import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Notice, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { publicText } from '../../tenancy/keys/key-labels.ts';
import { describeNotice } from './notice-labels.ts';
import { ReadState } from './read-state.tsx';

interface NoticeTableProps {
  notices: Notice[];
  organisationId: string;
  role: Role | undefined;
  /** Notice that is being marked as read. */
  reading: string | undefined;
  onRead: (noticeId: string) => void;
}

export function NoticeTable({ notices, organisationId, role, reading, onRead }: NoticeTableProps): ReactNode {
  const columns: Column<Notice>[] = [
    {
      head: 'About',
      w: 120,
      from: 'sm',
      cell: (notice) => {
        const { tone, badge } = describeNotice(notice);
        return <StateBadge tone={tone}>{badge}</StateBadge>;
      },
    },
    { head: 'Notice', cell: (notice) => <Content notice={notice} organisationId={organisationId} />, wraps: true },
    {
      head: 'Read',
      w: 130,
      align: 'right',
      cell: (notice) => (
        <ReadState
          title={describeNotice(notice).title}
          readAt={notice.readAt}
          readBy={notice.readBy}
          role={role}
          isMarking={reading === notice.id}
          onRead={() => onRead(notice.id)}
        />
      ),
    },
  ];
  return (
    <DataTable label="Notices" verticalSpacing="sm" isTop columns={columns} rows={notices} rowKey={({ id }) => id} />
  );
}

function Content({ notice, organisationId }: { notice: Notice; organisationId: string }): ReactNode {
  const { title, fix } = describeNotice(notice);
  return (
    <Stack gap={4}>
      <Text fw={notice.readAt ? 400 : 620}>{title}</Text>
      <Text c="dimmed">{fix}</Text>
      <NoticeDetails notice={notice} />
      <Group gap="xs" c="dimmed" fz="xs">
        <RelativeTime at={notice.createdAt} />
        <NoticeLinks notice={notice} organisationId={organisationId} />
      </Group>
    </Stack>
  );
}

function NoticeDetails({ notice: { kind, kid, expiresAt, leakUrl, disabledReason } }: { notice: Notice }): ReactNode {
  return (
    <Text fz="xs" c="dimmed">
      {(kind === 'key_expires' || kind === 'endpoint_keys_end') && <RelativeTime at={expiresAt} prefix="End: " />}
      {kind !== 'key_expires' && disabledReason && `Reason: ${disabledReason} `}
      {leakUrl && `Found at ${leakUrl} `}
      {kind.startsWith('key') && (
        <>
          {' '}
          <CopyId value={kid} label="public part of the key" shown={publicText(kid)} />
        </>
      )}
    </Text>
  );
}

function NoticeLinks({ notice, organisationId }: { notice: Notice; organisationId: string }): ReactNode {
  const { appId, appName, keyId, kind, endpointId, deliveryId, server, requestId } = notice;
  const params = { organisationId, appId };
  if (kind.startsWith('endpoint_') || deliveryId !== null) {
    return (
      <>
        {endpointId !== null && (
          <AnchorLink
            to="/in/$organisationId/apps/$appId/webhooks/endpoints/$endpointId"
            params={{ ...params, endpointId }}
            search={deliveryId === null ? {} : { status: 'failed', delivery: deliveryId }}
            fz="xs"
          >
            Open endpoint
          </AnchorLink>
        )}
        <AnchorLink to="/in/$organisationId/apps/$appId/webhooks" params={params} search={{}} fz="xs">
          Webhooks of {appName}
        </AnchorLink>
      </>
    );
  }
  if (server !== null) {
    return (
      <AnchorLink
        to="/in/$organisationId/apps/$appId/installations/history"
        params={params}
        search={{ server: server.id }}
        fz="xs"
      >
        Changes of the installation
      </AnchorLink>
    );
  }
  if (kind === 'deprecation_announced') {
    return (
      <AnchorLink to="/in/$organisationId/apps/$appId/requests" params={params} search={{ view: 'deprecated' }} fz="xs">
        Deprecated uses of {appName}
      </AnchorLink>
    );
  }
  if (kind === 'event_scopes') {
    return (
      <AnchorLink to="/in/$organisationId/apps/$appId/overview" params={params} fz="xs">
        Scopes of events of {appName}
      </AnchorLink>
    );
  }
  if (requestId !== null) {
    return (
      <AnchorLink to="/in/$organisationId/apps/$appId/requests" params={params} search={{ request: requestId }} fz="xs">
        Open request
      </AnchorLink>
    );
  }
  return (
    <>
      <AnchorLink to="/in/$organisationId/apps/$appId/keys" params={params} fz="xs">
        Keys of {appName}
      </AnchorLink>
      <AnchorLink
        to="/in/$organisationId/apps/$appId/requests"
        params={params}
        search={{ key: keyId, ...(kind === 'key_in_browser' && { code: 'browser_use' }) }}
        fz="xs"
      >
        Requests of the key
      </AnchorLink>
      {kind === 'key_leaked' && (
        <AnchorLink to="/in/$organisationId/apps/$appId/keys" params={params} search={{ activity: keyId }} fz="xs">
          Activity of the key
        </AnchorLink>
      )}
    </>
  );
}
