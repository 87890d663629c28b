// Exports all data of an organisation as a file.
import { Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { saveFile } from '../../kit/save-file.ts';
import type { OrganisationProps } from './transfer-panel.tsx';

const TIMEOUT_MS = 10 * 60_000;
const LAST_LINE = '{"kind":"end"}';

export function ExportPanel({ organisation: { id: organisationId, role } }: OrganisationProps): ReactNode {
  const save = useMutation({
    mutationFn: () => api.exportOrganisation({ organisationId }, { timeoutMs: TIMEOUT_MS }),
    onSuccess: (lines) => {
      // Only a complete export ends with this line.
      if (!lines.trimEnd().endsWith(LAST_LINE)) throw new Error('The export is incomplete.');
      saveFile(`${organisationId}.ndjson`, lines, 'application/x-ndjson');
    },
  });
  return (
    <Panel p="lg">
      <Stack>
        <SectionHead title="Export">
          Members, the audit log, and all apps with keys, installations and endpoints, as lines of JSON. The export
          contains no secret.
        </SectionHead>
        {save.error && <ProblemAlert error={save.error} onRetry={() => save.mutate()} />}
        <GuardedButton
          role={role}
          action="organisation.export"
          variant="default"
          w="fit-content"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          Download export
        </GuardedButton>
      </Stack>
    </Panel>
  );
}
