// Reads the assertion and the organisation from a request to the management listener.

import { fromId } from '../../kit/crypto/ids.ts';
import type { Incoming } from '../../kit/http/operation.ts';

/** Returns the token after `Bearer`. */
export function readBearerToken({ headers }: Incoming): string | undefined {
  const header = headers.authorization;
  return typeof header === 'string' ? /^Bearer (\S+)$/.exec(header)?.[1] : undefined;
}

/** Returns the uuid of the organisation in the path, or undefined if the path names none. */
export function readOrganisationOfUrl({ url }: Incoming): string | undefined {
  const id = /^\/organisations\/(org_[^/?]+)/.exec(url)?.[1];
  return id && fromId('org', id);
}
