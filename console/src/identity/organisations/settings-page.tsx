// Settings of an organisation: name, export, ownership and deletion.
import { Container, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SectionHead } from '../../kit/panel.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { useMembership } from '../session/use-session.ts';
import { DeletionPanel } from './deletion-panel.tsx';
import { ExportPanel } from './export-panel.tsx';
import { RenamePanel } from './rename-panel.tsx';
import { TransferPanel } from './transfer-panel.tsx';

const route = getRouteApi('/shell/organisations/$organisationId/settings');

export function OrganisationSettingsPage(): ReactNode {
  const { organisationId } = route.useParams();
  const membership = useMembership(organisationId);
  useTitle('Settings', membership?.name);
  if (!membership) return null; // the layout renders this page only for members
  return (
    <Container size={720} py="xl">
      <Stack gap="lg">
        <SectionHead title={`Settings of ${membership.name}`} order={1}>
          These settings apply to every environment.
        </SectionHead>
        <RenamePanel key={membership.name} organisation={membership} />
        <ExportPanel organisation={membership} />
        <TransferPanel organisation={membership} />
        <DeletionPanel organisation={membership} />
      </Stack>
    </Container>
  );
}
