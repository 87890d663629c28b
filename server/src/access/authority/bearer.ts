// What a request to the management listener says of itself: who asks, and of which organisation.

import { fromId } from '../../kit/crypto/ids.ts';
import type { Incoming } from '../../kit/http/operation.ts';

/** What stands behind `Bearer`. */
export function bearerOf({ headers }: Incoming): string | undefined {
  const header = headers.authorization;
  return typeof header === 'string' ? /^Bearer (\S+)$/.exec(header)?.[1] : undefined;
}

/** The uuid of the organisation whose path it is; undefined where the path names none. */
export function organisationOf({ url }: Incoming): string | undefined {
  const id = /^\/organisations\/(org_[^/?]+)/.exec(url)?.[1];
  return id && fromId('org', id);
}
