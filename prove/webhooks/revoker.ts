// Revokes a key, or the scope of publications on a server, as a member does in the Console. It is a separate process,
// because the proof's own event loop is busy with the receivers and would distort the times. Prints its address;
// accepts a RevokeRequest by POST. `revoker.ts stops-events-read-only` is deliberately wrong: a change of another scope
// cancels no in-flight attempt.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { openBenchPlane } from '../../bench/plane.ts';
import { type Plane, signAssertion } from '../../server/src/access/authority/index.ts';
import { toId } from '../../server/src/kit/crypto/ids.ts';
import { createManagement } from '../../server/src/listeners/sandbox-management.ts';
import { sharedMs } from './print-errors.ts';
import type { App } from './setup.ts';

const PROOF_ACTOR = { kind: 'person', personId: 'prover', name: 'prover@example.org', address: null } as const;
const { plane: right } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '', () => {});
/** A change of a scope names a server. Only keys and events:read cancel in-flight attempts. */
const stoppingEventsReadOnly: Plane = {
  ...right,
  deliveries: {
    ...right.deliveries,
    cancelInFlight: (tx, denials) =>
      right.deliveries.cancelInFlight(
        tx,
        denials.filter(({ keyId }) => keyId !== null),
      ),
  },
};
const plane = process.argv[2] === 'stops-events-read-only' ? stoppingEventsReadOnly : right;
const management = createManagement(plane, (error) => console.error(error));

export interface RevokeRequest {
  app: App;
  isOfScope: boolean;
  /** The app whose name is changed at the same time, as a reference; null for no reference. */
  reference: App | null;
}

/** Times by the clock that all processes share. */
export interface RevokeTimes {
  askedAtMs: number;
  answeredAtMs: number;
  /** The duration of the reference: a change that cancels no delivery. */
  referenceMs: number | null;
}

interface ManagementChange {
  method: 'PATCH' | 'POST' | 'PUT';
  url: string;
  payload?: Record<string, string>;
}

const pathOf = ({ organisationId, appId }: App): string =>
  `/organisations/${toId('org', organisationId)}/apps/${toId('app', appId)}`;

/** Requests a change as an owner of the app's organisation. Returns the times of request and response. */
async function change(
  { organisationId }: App,
  input: ManagementChange,
): Promise<{ askedAtMs: number; answeredAtMs: number }> {
  const actor = { ...PROOF_ACTOR, organisationId, role: 'owner' } as const;
  const assertion = await signAssertion(actor, 'sandbox', plane.secrets.managementKey);
  const askedAtMs = sharedMs();
  const answer = await management.inject({ ...input, headers: { authorization: `Bearer ${assertion}` } });
  const answeredAtMs = sharedMs();
  if (answer.statusCode !== 200) throw new Error(`${input.url} was answered ${answer.statusCode}: ${answer.body}`);
  return { askedAtMs, answeredAtMs };
}

let renames = 0;

async function revoke({ app, isOfScope, reference }: RevokeRequest): Promise<RevokeTimes> {
  const revocation: ManagementChange = isOfScope
    ? {
        method: 'PUT',
        url: `${pathOf(app)}/servers/${toId('srv', app.serverId)}/installation/scopes/publications:read`,
        payload: { state: 'revoked' },
      }
    : { method: 'POST', url: `${pathOf(app)}/keys/${toId('key', app.keyId)}/revoke` };
  const rename = (other: App): ManagementChange => ({
    method: 'PATCH',
    url: pathOf(other),
    payload: { name: `Name ${++renames}` },
  });
  const [times, other] = await Promise.all([
    change(app, revocation),
    reference && change(reference, rename(reference)),
  ]);
  return { ...times, referenceMs: other && other.answeredAtMs - other.askedAtMs };
}

const server = createServer((request, response) => {
  json(request)
    .then((order) => revoke(order as RevokeRequest)) // sent by the proof
    .then(
      (times) => response.end(JSON.stringify(times)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
});
await management.ready();
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); // a TCP address
});
process.on('SIGTERM', () => process.exit(0));
