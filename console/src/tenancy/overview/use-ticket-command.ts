// Returns a command that creates a ticket, whose event is delivered.
import { useQuery } from '@tanstack/react-query';
import { type AppScope, api } from '../../kit/api.ts';
import { ticketCall } from '../../kit/curl.ts';
import { useCurrentEnvironment } from '../../kit/environments.ts';
import { queryKeys } from '../../kit/query-keys.ts';

/** Contains the key if it is known. Undefined while no server is known, or if none exists. */
export function useTicketCommand(scope: AppScope, token: string | undefined): string | undefined {
  const sandbox = useCurrentEnvironment();
  const serverId = useOpenServer(scope);
  if (!sandbox || !serverId) return undefined;
  return ticketCall(sandbox.apiUrl, serverId, token);
}

/** Returns a server on which a ticket can be created now. */
function useOpenServer(scope: AppScope): string | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.installations(scope), 'first'],
    queryFn: ({ signal }) => api.listInstallations({ ...scope, limit: 25 }, { signal }),
  });
  const open = data?.data.find(
    ({ installation }) =>
      installation?.state === 'authorised' &&
      installation.scopes.some((grant) => grant.scope === 'tickets:create' && grant.state === 'authorised'),
  );
  return open?.serverId;
}
