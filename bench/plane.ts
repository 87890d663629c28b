// A plane for benchmarks: the sandbox's, unless it is production that is measured.
import type { Environment } from '../server/src/access/authority/index.ts';
import { type OpenPlane, openPlane } from '../server/src/boot/plane.ts';
import { BENCH_SECRETS } from './secrets.ts';

export function openBenchPlane(
  databaseUrl: string,
  onError: (error: unknown) => void = (error) => console.error(error),
  environment: Environment = 'sandbox',
): OpenPlane {
  return openPlane({
    environment,
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
