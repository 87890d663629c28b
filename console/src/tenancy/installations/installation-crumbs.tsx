// Breadcrumbs of the pages below the installations.
import { Breadcrumbs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AnchorLink } from '../../kit/links.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';

export function InstallationCrumbs({ children }: { children: string }): ReactNode {
  const scope = useAppScope();
  return (
    <Breadcrumbs separatorMargin={6} styles={{ breadcrumb: { lineHeight: 1.4 } }}>
      <AnchorLink to="/in/$organisationId/apps/$appId/installations" params={scope} activeOptions={{ exact: true }}>
        Installations
      </AnchorLink>
      <Text>{children}</Text>
    </Breadcrumbs>
  );
}
