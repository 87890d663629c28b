// A command that creates an object, whose event is delivered: a ticket, or an object of the contract of an operator.
import { useQuery } from '@tanstack/react-query';
import { type AppScope, api, type EventType, type Scope } from '../../kit/api.ts';
import { creationCall, ticketCall } from '../../kit/curl.ts';
import { useCurrentEnvironment } from '../../kit/environments.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { queryKeys } from '../../kit/query-keys.ts';

interface Creation {
  /** Names the change, such as `Create a ticket`. */
  label: string;
  /** The scopes that the command needs. */
  scopes: readonly Scope[];
  event: EventType;
}

const { firstCreation } = OWN_CONTRACT ?? {};
const COMMUNITY_CREATION: Creation = { label: 'Create a ticket', scopes: ['tickets:create'], event: 'ticket.created' };

/** The change that the command makes. Undefined if the contract has none that needs no value of the app. */
export const CREATION: Creation | undefined = OWN_CONTRACT
  ? firstCreation && { ...firstCreation, label: firstCreation.summary }
  : COMMUNITY_CREATION;

/** Contains the key if it is known. Undefined while no server is known, or if none exists. */
export function useCreationCommand(scope: AppScope, token: string | undefined): string | undefined {
  const sandbox = useCurrentEnvironment();
  const serverId = useOpenServer(scope);
  if (sandbox && firstCreation) return creationCall(sandbox.apiUrl, firstCreation, token);
  if (!sandbox || !serverId || OWN_CONTRACT) return undefined;
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
