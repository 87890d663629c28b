// Link to the same app in the other environment. It is a plain link, because the other environment is another document.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { IS_PRODUCTION } from '../../kit/environments.ts';

export const otherEnvironmentPath = (organisationId: string, appId?: string): string =>
  `/${IS_PRODUCTION ? 'sandbox' : 'production'}/${organisationId}/apps${appId === undefined ? '' : `/${appId}/overview`}`;

export function OtherEnvironmentLink({ organisationId, appId }: { organisationId: string; appId: string }): ReactNode {
  return (
    <Button component="a" variant="default" size="xs" href={otherEnvironmentPath(organisationId, appId)}>
      {IS_PRODUCTION ? 'Open in the sandbox' : 'Open in production'}
    </Button>
  );
}
