// The cause of a listed event: a link to the request, or the name of another cause.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppEvent, AppScope } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { shorten } from '../../kit/shorten.ts';
import { causeWithoutRequest } from '../traces/trace-labels.ts';

interface EventCauseProps extends Pick<AppEvent, 'requestId' | 'actor'> {
  scope: AppScope;
}

export function EventCause({ scope, requestId, actor }: EventCauseProps): ReactNode {
  if (requestId === null) {
    return (
      <Text inherit truncate title={actor ?? ''}>
        {causeWithoutRequest(actor)}
      </Text>
    );
  }
  return (
    <AnchorLink
      to="/in/$organisationId/apps/$appId/requests"
      params={scope}
      search={{ request: requestId }}
      ff="monospace"
      fz={12.5}
      title={requestId}
      onClick={(event) => event.stopPropagation()} // the row opens the event
    >
      {shorten(requestId)}
    </AnchorLink>
  );
}
