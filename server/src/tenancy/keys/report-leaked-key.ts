import { anyoneSparingly, parseKeyToken, refusal } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { endLeakedKey } from './end-leaked-key.ts';
import { LeakedKey, LeakReport } from './leaked-key.ts';

export const reportLeakedKey = operation({
  id: 'reportLeakedKey',
  method: 'POST',
  path: '/v1/leaked-keys',
  tag: 'Leaked keys',
  summary: 'Report a leaked key',
  description:
    'Whoever has found a key can end it: it is revoked at once and for good, what is on its way through it is stopped, and its organisation is told. A key that is over already is answered as what it is. Whatever is no key is answered with one and the same `invalid_key`. The key is neither logged nor kept.',
  access: anyoneSparingly(),
  body: LeakReport,
  examples: { aKey: { key: 'slw_test_7Qh2mXc04LpA_EXAMPLEexampleEXAMPLEexampleEXAM000000' } },
  problems: ['invalid_key', 'wrong_environment'],
  replies: {
    200: {
      description: 'The key is over.',
      schema: LeakedKey,
      examples: { aKey: { kid: '7Qh2mXc04LpA', state: 'revoked' } },
    },
  },
  async run({ plane, ...report }, { body }) {
    const environment = parseKeyToken(body.key)?.environment;
    // The key's prefix is public and already names the environment.
    if (environment !== undefined && environment !== plane.environment) throw refusal('wrong_environment');
    const key = await plane.recogniseKey(body.key);
    if (!key) throw refusal('invalid_key');
    const ended = await endLeakedKey(plane, key, { reportedBy: 'holder', foundAt: null }, report);
    return { status: 200, body: ended, headers: { 'cache-control': 'no-store' } };
  },
});
