// Link to the notices and the decisions about live access, with the number of unread ones.
import { Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { hint } from '../../kit/hints.tsx';
import { ActionIconLink } from '../../kit/links.tsx';
import { useDecisions } from './use-decisions.ts';
import { MAX_COUNTED, useUnreadCount } from './use-notices.ts';

export function NoticesBell({ organisationId }: { organisationId: string }): ReactNode {
  const unread = useUnreadCount(organisationId) + useDecisions(organisationId).unread.length;
  const count = unread > MAX_COUNTED ? `${MAX_COUNTED}+` : String(unread);
  const label = unread === 0 ? 'Notices' : `Notices: ${count} unread`;
  return (
    <Indicator label={count} size={16} offset={6} color="red.8" disabled={unread === 0}>
      <ActionIconLink
        to="/in/$organisationId/notices"
        params={{ organisationId }}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        {...hint(label)}
      >
        <IconBell size={18} />
      </ActionIconLink>
    </Indicator>
  );
}
