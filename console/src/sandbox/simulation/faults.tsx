// Lists fault rules: each gives a share of the calls an effect. A rule can be switched off, changed in its share, or
// deleted.
import { Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBolt, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { AppScope, Fault, Role } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { AddFault } from './add-fault.tsx';
import { ChangeShare } from './change-share.tsx';
import { DeleteFault } from './delete-fault.tsx';
import { FaultTable } from './fault-table.tsx';
import { useChangeFault, useFaults } from './use-simulation.ts';

export function Faults({ scope, role }: { scope: AppScope; role: Role | undefined }): ReactNode {
  const faults = useFaults(scope);
  const toggle = useChangeFault(scope);
  const [isOpen, dialog] = useDisclosure(false);
  const [changing, setChanging] = useState<Fault>();
  const [deleting, setDeleting] = useState<Fault>();
  const add = (
    <GuardedButton
      role={role}
      action="faults.change"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={dialog.open}
    >
      Add a fault rule
    </GuardedButton>
  );
  return (
    <Stack>
      <SectionHead title="Faults" action={faults.items?.length ? add : undefined}>
        A share of the app’s calls fails, is delayed or loses its connection. Responses and records of these calls are
        marked.
      </SectionHead>
      {faults.error && <ProblemAlert error={faults.error} onRetry={() => void faults.refetch()} />}
      {toggle.error && <ProblemAlert error={toggle.error} />}
      {faults.isPending && <RowsSkeleton rows={2} />}
      {faults.items?.length === 0 && (
        <EmptyList icon={<IconBolt aria-hidden />} title="No fault rules" action={add}>
          No call is affected. Add a rule to test your integration against occasional problems.
        </EmptyList>
      )}
      {faults.items && faults.items.length > 0 && (
        <Panel>
          <FaultTable
            faults={faults.items}
            role={role}
            toggling={toggle.isPending ? toggle.variables?.faultId : undefined}
            onToggle={({ id, isEnabled }) => toggle.mutate({ faultId: id, change: { isEnabled: !isEnabled } })}
            onChange={setChanging}
            onDelete={setDeleting}
          />
          <LoadMore {...faults} />
        </Panel>
      )}
      {isOpen && <AddFault scope={scope} onClose={dialog.close} />}
      {changing && <ChangeShare scope={scope} fault={changing} onClose={() => setChanging(undefined)} />}
      {deleting && <DeleteFault scope={scope} fault={deleting} onClose={() => setDeleting(undefined)} />}
    </Stack>
  );
}
