// A plane for benchmarks: the sandbox's by default, or production's.
import type { Environment } from '../server/src/access/authority/index.ts';
import { type OpenPlane, openPlane } from '../server/src/boot/plane.ts';
import type { RecordDurability } from '../server/src/inspector/requests/index.ts';
import { BENCH_SECRETS } from './secrets.ts';

export function openBenchPlane(
  databaseUrl: string,
  onError: (error: unknown) => void = (error) => console.error(error),
  environment: Environment = 'sandbox',
  records: RecordDurability = process.env.BENCH_RECORDS === 'durable' ? 'durable' : 'fast',
): OpenPlane {
  return openPlane({
    environment,
    databaseUrl,
    publicUrl: 'http://localhost:4000',
    ...BENCH_SECRETS,
    // The default rate per key for the thousand keys. The busy app's five keys get a rate that never limits them.
    rate: { perSecond: Number(process.env.BENCH_RATE ?? 100), burst: Number(process.env.BENCH_RATE ?? 100) * 2 },
    records,
    webhookAllowHosts: [],
    webhookAllowCidrs: [],
    onError,
  });
}
