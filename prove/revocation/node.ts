// A process of the proof: `node.ts api [WRONG]` is a node of /v1 with the management API, and `node.ts worker` delivers
// webhooks. With BENCH_UPSTREAM_URL it is a node of production. Prints its addresses as JSON. WRONG names a wrong
// authority that the proof must detect.

import { openBenchPlane } from '../../bench/plane.ts';
import { openCaptures } from '../../server/src/boot/captures.ts';
import { secret } from '../../server/src/kit/crypto/secret.ts';
import { isUnavailable } from '../../server/src/kit/db/db.ts';
import { createOutboundClient } from '../../server/src/kit/outbound/outbound.ts';
import { createProductionApi } from '../../server/src/listeners/production-api.ts';
import { createProductionManagement } from '../../server/src/listeners/production-management.ts';
import { createSandboxApi } from '../../server/src/listeners/sandbox-api.ts';
import { createManagement } from '../../server/src/listeners/sandbox-management.ts';
import { createGateway } from '../../server/src/production/gateway/index.ts';
import { startDispatcher } from '../../server/src/webhooks/dispatch/index.ts';
import { INGEST_KEY } from '../../server/test/production.fixture.ts';
import { IDENTITY_KEY } from '../../server/test/reference-upstream.ts';
import { WRONG_AUTHORITIES } from '../../server/test/wrong-authorities.ts';
import { EARLY_RESPONSE, startEarlyResponder } from './early-responder.ts';

const [mode, wrongName = ''] = process.argv.slice(2);

const printedErrors = new Set<string>();

/** Prints each error once. Errors of an unreachable database are part of the proof. */
function onError(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  if (isUnavailable(error) || printedErrors.has(text)) return;
  printedErrors.add(text);
  console.error(`a node says: ${text}`);
}

const upstreamUrl = process.env.BENCH_UPSTREAM_URL;
const { plane, recorder, records, dispatch, worker } = openBenchPlane(
  process.env.BENCH_DATABASE_URL ?? '',
  onError,
  upstreamUrl === undefined ? 'sandbox' : 'production',
);

async function api() {
  const wrong = WRONG_AUTHORITIES[wrongName];
  const authority = wrong ? wrong(plane.authority) : plane.authority;
  const options = { recorder, trustedProxies: [], onInternalError: onError };
  const at = { host: '127.0.0.1', port: 0 };
  if (upstreamUrl !== undefined) {
    const gateway = createGateway({ url: upstreamUrl, identityKey: secret(IDENTITY_KEY), onFailure: () => {} });
    const ingest = { key: secret(INGEST_KEY), worker };
    const managementUrl = await createProductionManagement(plane, ingest, onError).listen(at);
    return {
      apiUrl: await createProductionApi(plane, gateway, options).listen(at),
      managementUrl: wrongName === EARLY_RESPONSE ? await startEarlyResponder(managementUrl) : managementUrl,
    };
  }
  const captures = openCaptures({ plane, records }, { isAllowed: true, retentionHours: 24 }, onError);
  return {
    apiUrl: await createSandboxApi({ ...plane, authority }, { ...options, captures: captures.queue }).listen(at),
    managementUrl: await createManagement({ ...plane, captures: captures.port }, onError).listen(at),
  };
}

async function deliver() {
  const outbound = createOutboundClient({ allowHosts: [], allowCidrs: [] });
  await startDispatcher({
    environment: 'sandbox',
    db: dispatch,
    outbound,
    masterKeys: plane.secrets.masterKeys,
    log: () => {},
  });
  return {};
}

console.log(JSON.stringify(await (mode === 'worker' ? deliver() : api())));
process.on('SIGTERM', () => process.exit(0));
