// Lists all organisations of this installation with status and quotas.
import { Stack } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { api, type OperatedOrganisation } from '../../kit/api.ts';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { OrganisationTable } from './organisation-table.tsx';
import { SetQuotas } from './set-quotas.tsx';
import { SuspendOrganisation } from './suspend-organisation.tsx';
import { useChangeOrganisation, useOperatedOrganisations } from './use-operator.ts';

interface OrganisationDialog {
  dialog: 'suspend' | 'quotas';
  organisation: OperatedOrganisation;
}

export function OperatorOrganisationsPage(): ReactNode {
  useTitle('Organisations', 'Operator');
  const { opened, open, close } = useOrganisationDialog();
  const list = useOperatedOrganisations();
  const resume = useChangeOrganisation((organisationId: string) => api.resumeOrganisation({ organisationId }));
  return (
    <Stack>
      <SectionHead title="Organisations">
        All organisations, newest first. Only members can see the content of an organisation.
      </SectionHead>
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {resume.error && <ProblemAlert error={resume.error} />}
      {list.isPending && <RowsSkeleton rows={5} height={30} />}
      {list.items?.length === 0 && (
        <EmptyList icon={<IconBuilding aria-hidden />} title="No organisations yet">
          The first person who creates an account creates the first organisation.
        </EmptyList>
      )}
      {list.items && list.items.length > 0 && (
        <Panel>
          <OrganisationTable
            organisations={list.items}
            resuming={resume.isPending ? resume.variables : undefined}
            onResume={(id) => resume.mutate(id)}
            onSuspend={(organisation) => open({ dialog: 'suspend', organisation })}
            onSetQuotas={(organisation) => open({ dialog: 'quotas', organisation })}
          />
          <LoadMore {...list} />
        </Panel>
      )}
      {opened?.dialog === 'suspend' && <SuspendOrganisation organisation={opened.organisation} onClose={close} />}
      {opened?.dialog === 'quotas' && <SetQuotas organisation={opened.organisation} onClose={close} />}
    </Stack>
  );
}

/** State of the open dialog. The dialog unmounts with its form, so the element to focus afterwards is stored here. */
function useOrganisationDialog() {
  const [opened, setOpened] = useState<OrganisationDialog>();
  const before = useRef<Element | null>(null);
  const open = (next: OrganisationDialog): void => {
    before.current = document.activeElement;
    setOpened(next);
  };
  const close = (): void => {
    setOpened(undefined);
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  return { opened, open, close };
}
