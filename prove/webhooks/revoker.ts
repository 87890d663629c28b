// Who takes a key away, as a member does in the Console; a process of its own, because that of the proof is busy with the receivers
// and would tell how long its own event loop took. Prints where it listens; `POST` with an app.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { openBenchPlane } from '../../bench/plane.ts';
import { signAssertion } from '../../server/src/features/authority/index.ts';
import { toId } from '../../server/src/kit/ids.ts';
import { createManagement } from '../../server/src/sandbox-management.ts';
import type { App } from './ground.ts';
import { sharedMs } from './tell.ts';

const PROVER = { kind: 'person', personId: 'prover', name: 'prover@example.org', address: null } as const;
const { plane } = openBenchPlane(process.env.BENCH_DATABASE_URL ?? '', () => {});
const management = createManagement(plane, (error) => console.error(error));

async function revoke({ organisationId, appId, keyId }: App): Promise<{ askedAtMs: number; answeredAtMs: number }> {
  const who = { ...PROVER, organisationId, role: 'owner' } as const;
  const assertion = await signAssertion(who, 'sandbox', plane.managementKey);
  const url = `/organisations/${toId('org', organisationId)}/apps/${toId('app', appId)}/keys/${toId('key', keyId)}/revoke`;
  const askedAtMs = sharedMs();
  const answer = await management.inject({ method: 'POST', url, headers: { authorization: `Bearer ${assertion}` } });
  const answeredAtMs = sharedMs();
  if (answer.statusCode !== 200) throw new Error(`A revoke was answered ${answer.statusCode}: ${answer.body}`);
  return { askedAtMs, answeredAtMs };
}

const server = createServer((request, response) => {
  json(request)
    .then((app) => revoke(app as App)) // the proof's own
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
