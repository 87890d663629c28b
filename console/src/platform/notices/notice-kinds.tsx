// Checkboxes for the kinds of notices that a member or a destination receives.
import { Checkbox, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import type { NoticeMailSettings } from '../../kit/api.ts';

type SentKind = NoticeMailSettings['mutedKinds'][number];

const LABELS: Record<SentKind, string> = {
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
  deprecation_announced: 'An app uses a deprecated part of the API',
  live_access_decided: 'A reviewer decided about live access',
};
const KINDS = Object.keys(LABELS) as SentKind[]; // the keys of the record above

interface NoticeKindsProps {
  muted: SentKind[];
  isDisabled?: boolean;
  onChange: (muted: SentKind[]) => void;
}

export function NoticeKinds({ muted, isDisabled = false, onChange }: NoticeKindsProps): ReactNode {
  return (
    <Checkbox.Group
      label="Notices"
      value={KINDS.filter((kind) => !muted.includes(kind))}
      onChange={(chosen) =>
        // A kind of a newer server, which this page does not know, stays as it is.
        onChange(KINDS.filter((kind) => !chosen.includes(kind)).concat(muted.filter((kind) => !KINDS.includes(kind))))
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
        {KINDS.map((kind) => (
          <Checkbox key={kind} value={kind} label={LABELS[kind]} disabled={isDisabled} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
