// Endpoints that deliver through keys which a round revokes. No delivery may begin after the response to the revocation.
import type { Receiver } from '../webhooks/receiver.ts';
import type { App, WebhookSetup } from '../webhooks/setup.ts';
import type { KeyToRevoke, Ledger } from './ledger.ts';

const pathOf = ({ id }: KeyToRevoke): string => `/through/${id}`;

interface WatchedSetup {
  webhooks: WebhookSetup;
  receiver: Receiver;
  app: App;
}

export interface WatchedEndpoints {
  /** The ids of the endpoints, in the order of the keys. */
  ids: readonly string[];
  remove(): Promise<unknown>;
}

/** Adds an endpoint for each of the keys. */
export async function addWatchedEndpoints(
  { webhooks, receiver, app }: WatchedSetup,
  keys: readonly KeyToRevoke[],
): Promise<WatchedEndpoints> {
  const ids: string[] = [];
  for (const key of keys) {
    const { endpointId, secret } = await webhooks.addEndpoint(app, receiver.url(pathOf(key)), undefined, [key.id]);
    receiver.expect(pathOf(key), secret);
    ids.push(endpointId);
  }
  return {
    ids,
    // Otherwise the tickets of later rounds would be queued for them.
    remove: () =>
      webhooks.rows('delete from endpoints where app_id = $1 and endpoint_id = any($2::uuid[])', [app.appId, ids]),
  };
}

export interface WatchedDeliveries {
  /** The number of deliveries through keys that a round revoked. */
  arrived: number;
  /** The ids of the deliveries that began after the response to the revocation. */
  late: string[];
}

export function findWatchedDeliveries({ arrivals }: Receiver, { revoked }: Ledger): WatchedDeliveries {
  const allowed = new Map(revoked.map((key) => [pathOf(key), key.arrivals]));
  const watched = arrivals.flatMap(({ path, deliveryId }, index) => {
    const count = allowed.get(path);
    return count === undefined ? [] : [{ deliveryId, isLate: index >= count }];
  });
  const late = watched.flatMap(({ deliveryId, isLate }) => (isLate ? [deliveryId] : []));
  return { arrived: watched.length, late };
}
