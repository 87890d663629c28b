import { allowAnyoneRateLimited, parseKeyToken, refusal } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { LeakedKey, LeakReport } from './leaked-key.ts';
import { revokeLeakedKey } from './revoke-leaked-key.ts';

export const reportLeakedKey = operation({
  id: 'reportLeakedKey',
  route: 'POST /v1/leaked-keys',
  tag: 'Leaked keys',
  summary: 'Report a leaked key',
  description:
    'Revokes a leaked key. Every holder of the complete key can report it. The key is revoked immediately and permanently, its in-flight calls and deliveries are cancelled, and its organisation is notified. For a key that is already revoked or expired, the operation returns its state. Every text that is not a valid key gets the same `invalid_key` response. The key is neither logged nor stored.',
  access: allowAnyoneRateLimited(),
  body: LeakReport,
  examples: { aKey: { key: 'slw_test_7Qh2mXc04LpA_EXAMPLEexampleEXAMPLEexampleEXAM000000' } },
  problems: ['invalid_key', 'wrong_environment'],
  replies: ok('The key is revoked or expired.', LeakedKey, { aKey: { kid: '7Qh2mXc04LpA', state: 'revoked' } }),
  async run({ plane, ...report }, { body }) {
    const environment = parseKeyToken(body.key)?.environment;
    // The key's prefix is public and already names the environment.
    if (environment !== undefined && environment !== plane.environment) throw refusal('wrong_environment');
    const key = await plane.keys.recognise(body.key);
    if (!key) throw refusal('invalid_key');
    const leakedKey = await revokeLeakedKey(plane, key, { reportedBy: 'holder', leakUrl: null }, report);
    return { status: 200, body: leakedKey, headers: { 'cache-control': 'no-store' } };
  },
});
