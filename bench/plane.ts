// A sandbox plane for benchmarks, with secrets that are no secrets.
import { secret } from '../server/src/kit/secret.ts';
import { type OpenPlane, openPlane } from '../server/src/plane.ts';

/** With them another process can play a node of the same plane. */
export const BENCH_SECRETS = {
  peppers: { current: 1, keys: { 1: secret('a pepper for benchmarks, of no other use') } },
  masterKeys: { current: 'm1', keys: { m1: secret(Buffer.alloc(32, 7).toString('base64')) } },
  cursorKey: secret('a cursor key for benchmarks'),
  managementKey: secret('a management key for benchmarks, long enough'),
};

export function openBenchPlane(
  databaseUrl: string,
  onError: (error: unknown) => void = (error) => console.error(error),
): OpenPlane {
  return openPlane({
    environment: 'sandbox',
    databaseUrl,
    publicUrl: 'http://localhost:4000',
    ...BENCH_SECRETS,
    // Per key as it is by default for the thousand keys; for the hot app's five there is no speed that it would allow.
    rate: { perSecond: Number(process.env.BENCH_RATE ?? 100), burst: Number(process.env.BENCH_RATE ?? 100) * 2 },
    webhookAllowHosts: [],
    webhookAllowCidrs: [],
    onError,
  });
}
