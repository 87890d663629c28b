// Lists the app's keys with scopes and expiry, and generates, rotates and revokes them.

import { Stack } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { KeyActivityDialog } from '../../inspector/key-activity/key-activity-dialog.tsx';
import type { Key } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, OnlyOne, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useAllPages } from '../../kit/use-all-pages.ts';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { useNewDialog } from '../../kit/use-new-dialog.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../apps/use-app.ts';
import { ChangeKey } from './change-key.tsx';
import { GenerateKey } from './generate-key.tsx';
import { type KeyAction, KeyTable } from './key-table.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { NarrowKey, RotateKey } from './rotate-key.tsx';
import { toKeysSearch } from './search.ts';
import { useLiveKeys } from './use-keys.ts';

const route = getRouteApi(`${APP_ROUTE}/keys`);

const DIALOGS = { change: ChangeKey, rotate: RotateKey, narrow: NarrowKey, revoke: RevokeKey } as const;

export function KeysPage(): ReactNode {
  const scope = useAppScope();
  const role = useMembership(scope.organisationId)?.role;
  useTitle('Keys', useApp(scope).data?.name);
  const keys = useLiveKeys(scope);
  const { key: onlyId, activity, since } = route.useSearch();
  const navigate = route.useNavigate();
  const only = keys.items?.filter(({ id }) => id === onlyId) ?? [];
  const ofActivity = keys.items?.find(({ id }) => id === activity);
  const isOneMissing = (onlyId !== undefined && only.length === 0) || (activity !== undefined && !ofActivity);
  useAllPages(keys, isOneMissing); // the address can name an older key
  const action = IS_PRODUCTION ? 'production_keys.create' : 'keys.create';
  const dialog = useNewDialog(role, action);
  const [wished, setWished] = useState<{ wish: KeyAction; key: Key }>();
  const Dialog = wished && DIALOGS[wished.wish];
  const generate = (
    <GuardedButton role={role} action={action} leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      Generate a key
    </GuardedButton>
  );
  return (
    <Stack>
      <SectionHead title="Keys" action={keys.items?.length ? generate : undefined}>
        Bearer credentials for your servers. A key is valid for at most 30 days, and its secret is shown once.
      </SectionHead>
      {keys.error && <ProblemAlert error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending && <RowsSkeleton rows={4} />}
      {keys.items?.length === 0 && (
        <EmptyList icon={<IconKey aria-hidden />} title="No keys yet" action={generate}>
          Generate a key with only the scopes that your integration needs, and make the first call.
        </EmptyList>
      )}
      {onlyId !== undefined && keys.items && (only.length > 0 || !keys.hasNextPage) && (
        <OnlyOne
          noun="key"
          isFound={only.length > 0}
          all={
            <AnchorLink to="/in/$organisationId/apps/$appId/keys" params={scope} search={{}}>
              Show all keys
            </AnchorLink>
          }
        />
      )}
      {keys.items && keys.items.length > 0 && (
        <Panel>
          <KeyTable
            keys={only.length > 0 ? only : keys.items}
            role={role}
            onAction={(wish, key) => setWished({ wish, key })}
          />
          <LoadMore {...keys} />
        </Panel>
      )}
      {dialog.isOpen && <GenerateKey scope={scope} onClose={dialog.close} />}
      {Dialog && <Dialog scope={scope} subject={wished.key} onClose={() => setWished(undefined)} />}
      {activity !== undefined && (
        <KeyActivityDialog
          scope={scope}
          keyId={activity}
          name={ofActivity?.name}
          since={since}
          onSince={(at) => void navigate({ search: (before) => toKeysSearch({ ...before, since: at }) })}
          onClose={() => void navigate({ search: toKeysSearch({ key: onlyId }) })}
        />
      )}
    </Stack>
  );
}
