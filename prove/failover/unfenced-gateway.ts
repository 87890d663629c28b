// The mutant of production: a node of /v1 whose commits do not wait for the standby, so it takes every server for the
// primary. Prints its address.

import { BENCH_SECRETS } from '../../bench/secrets.ts';
import { openPlane } from '../../server/src/boot/plane.ts';
import { secret } from '../../server/src/kit/crypto/secret.ts';
import { createProductionApi } from '../../server/src/listeners/production-api.ts';
import { createGateway } from '../../server/src/production/gateway/index.ts';
import { IDENTITY_KEY } from '../../server/test/reference-upstream.ts';
import { skipConfirmations } from '../../server/test/unconfirmed-primary.ts';
import { PRODUCTION_SECRETS } from '../../test/production-instance.ts';
import { printErrorOnce } from '../webhooks/print-errors.ts';

skipConfirmations();
const { plane, recorder } = openPlane({
  environment: 'production',
  databaseUrl: process.env.PROOF_DATABASE_URL ?? '',
  publicUrl: 'http://localhost:4000',
  ...BENCH_SECRETS,
  peppers: { current: 1, keys: { 1: secret(PRODUCTION_SECRETS.SLIPWAY_PRODUCTION_PEPPER) } },
  rate: { perSecond: 1_000_000, burst: 1_000_000 },
  statusLeaseSeconds: 86_400,
  webhookAllowHosts: [],
  webhookAllowCidrs: [],
  onError() {}, // its connections fail
});
const gateway = createGateway({ url: process.env.PROOF_UPSTREAM_URL ?? '', identityKey: secret(IDENTITY_KEY) });
const options = { recorder, trustedProxies: [], onInternalError: printErrorOnce };
console.log(await createProductionApi(plane, gateway, options).listen({ host: '127.0.0.1', port: 0 }));
process.on('SIGTERM', () => process.exit(0));
