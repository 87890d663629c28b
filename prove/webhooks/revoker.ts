// Revokes a key, or the scope of publications on a server, as a member does in the Console; a process of its own, because that of the proof
// is busy with the receivers and would tell how long its own event loop took. Prints where it listens; `POST` with a RevokeOrder.
// `revoker.ts stops-events-read-only` is wrong on purpose: a change of another scope stops no attempt in flight.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { openBenchPlane } from '../../bench/plane.ts';
import { type Plane, signAssertion } from '../../server/src/access/authority/index.ts';
import { toId } from '../../server/src/kit/crypto/ids.ts';
import { createManagement } from '../../server/src/listeners/sandbox-management.ts';
import type { App } from './ground.ts';
import { sharedMs } from './tell.ts';

const PROVER = { kind: 'person', personId: 'prover', name: 'prover@example.org', address: null } as const;
const { plane: right } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '', () => {});
/** Scopes change on a server, and only keys and events:read stop what is in flight. */
const stoppingEventsReadOnly: Plane = {
  ...right,
  stop: (tx, denials) =>
    right.stop(
      tx,
      denials.filter(({ keyId }) => keyId !== null),
    ),
};
const plane = process.argv[2] === 'stops-events-read-only' ? stoppingEventsReadOnly : right;
const management = createManagement(plane, (error) => console.error(error));

export interface RevokeOrder {
  app: App;
  isOfScope: boolean;
}

async function revoke({ app, isOfScope }: RevokeOrder): Promise<{ askedAtMs: number; answeredAtMs: number }> {
  const { organisationId, appId, keyId, serverId } = app;
  const who = { ...PROVER, organisationId, role: 'owner' } as const;
  const assertion = await signAssertion(who, 'sandbox', plane.managementKey);
  const base = `/organisations/${toId('org', organisationId)}/apps/${toId('app', appId)}`;
  const ask = isOfScope
    ? {
        method: 'PUT' as const,
        url: `${base}/servers/${toId('srv', serverId)}/installation/scopes/publications:read`,
        payload: { state: 'revoked' },
      }
    : { method: 'POST' as const, url: `${base}/keys/${toId('key', keyId)}/revoke` };
  const askedAtMs = sharedMs();
  const answer = await management.inject({ ...ask, headers: { authorization: `Bearer ${assertion}` } });
  const answeredAtMs = sharedMs();
  if (answer.statusCode !== 200) throw new Error(`A revoke was answered ${answer.statusCode}: ${answer.body}`);
  return { askedAtMs, answeredAtMs };
}

const server = createServer((request, response) => {
  json(request)
    .then((order) => revoke(order as RevokeOrder)) // the proof's own
    .then(
      (times) => response.end(JSON.stringify(times)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
});
await management.ready();
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); // it listens on TCP
});
process.on('SIGTERM', () => process.exit(0));
