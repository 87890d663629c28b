// Leads to the activity of a key, which opens on the page of keys.
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';

interface ActivityLinkProps {
  scope: AppScope;
  keyId: string;
  name: string;
  /** Closes the dialog that has the link. */
  onFollow?: () => void;
  children?: string;
}

export function ActivityLink({ scope, keyId, name, onFollow, children = 'Activity' }: ActivityLinkProps): ReactNode {
  return (
    <AnchorLink
      to="/in/$organisationId/apps/$appId/keys"
      params={scope}
      search={{ activity: keyId }}
      aria-label={`${children}: ${name}`}
      onClick={onFollow}
      inherit
      underline="always"
    >
      {children}
    </AnchorLink>
  );
}
