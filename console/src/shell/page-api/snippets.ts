// Returns a read of the management API as a curl command and as a program. Pure functions.
import type * as management from '@slipway/sdk/management';
import { api } from '../../kit/api.ts';
import { curl, TOKEN_VARIABLE } from '../../kit/curl.ts';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { MANAGEMENT_CLIENT, sdkCall } from '../../kit/sdk-call.ts';

type Operations = management.Operations;
type ReadId = Extract<keyof Operations, `get${string}` | `list${string}` | 'explainAccess'>;

export interface PageRead {
  operation: ReadId;
  input: object;
}

export const read = <K extends ReadId>(operation: K, input: Operations[K]['input']): PageRead => ({ operation, input });

export interface Snippets {
  curl: string;
  sdk: string;
}

/** Returns undefined if the operation accepts no access token. `origin` is that of the Console. */
export function snippetsOf({ operation, input }: PageRead, origin: string): Snippets | undefined {
  if (!api.takesToken(operation)) return undefined;
  // `read` has typed the input for this operation.
  const address = api.addressOf(operation, input as Operations[typeof operation]['input']);
  const inputs = Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2);
  return {
    curl: curl({ method: 'GET', url: origin + address, variable: TOKEN_VARIABLE }),
    sdk: sdkCall(MANAGEMENT_CLIENT, origin, operation, inputs, ENVIRONMENT === 'production' ? ENVIRONMENT : undefined),
  };
}
