// The secrets of the benchmarks' plane, which protect nothing.
import { secret } from '../server/src/kit/crypto/secret.ts';

/** With these another process can act as a node of the same plane. */
export const BENCH_SECRETS = {
  peppers: { current: 1, keys: { 1: secret('a pepper for benchmarks, of no other use') } },
  masterKeys: { current: 'm1', keys: { m1: secret(Buffer.alloc(32, 7).toString('base64')) } },
  cursorKey: secret('a cursor key for benchmarks'),
  managementKey: secret('a management key for benchmarks, long enough'),
};
