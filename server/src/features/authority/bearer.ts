// What stands behind `Bearer` on the management listener.
import type { Incoming } from '../../kit/operation.ts';

export function bearerOf({ headers }: Incoming): string | undefined {
  const header = headers.authorization;
  return typeof header === 'string' ? /^Bearer (\S+)$/.exec(header)?.[1] : undefined;
}
