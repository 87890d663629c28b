// Link to one request by its permanent address.
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { CopyIcon } from '../../kit/copy.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { shorten } from '../../kit/shorten.ts';

interface RequestLinkProps {
  scope: AppScope;
  requestId: string;
}

export function RequestLink({ scope, requestId }: RequestLinkProps): ReactNode {
  return (
    <>
      <AnchorLink
        to="/in/$organisationId/apps/$appId/requests"
        params={scope}
        search={{ request: requestId }}
        ff="monospace"
        fz={12.5}
        title={requestId}
      >
        {shorten(requestId)}
      </AnchorLink>{' '}
      <CopyIcon value={requestId} label="request id" />
    </>
  );
}
