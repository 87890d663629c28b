import { expect, test } from 'vitest';
import { problemsAt } from '../access/problems/index.ts';
import { readConfig } from '../config/config.ts';
import { createServer } from '../kit/http/http.ts';
import { undeclaredProxyWarning } from './undeclared-proxy.ts';

function watch(settings: Record<string, string>) {
  const logged: [string, object | undefined][] = [];
  const log = { info: (message: string, fields?: object) => void logged.push([message, fields]), error: () => {} };
  const config = readConfig(settings);
  const onUndeclaredProxy = undeclaredProxyWarning(log, 'console', 'sandbox', config);
  const app = createServer({
    problems: problemsAt(''),
    headers: {},
    trustedProxies: config.trustedProxies,
    onUndeclaredProxy,
  });
  app.get('/', async () => 'here');
  const call = (headers: Record<string, string>) =>
    app.inject({ method: 'GET', url: '/', remoteAddress: '10.0.0.9', headers });
  return { logged, call };
}

const FORWARDED = { 'x-forwarded-for': '203.0.113.5' };

test('logs one line at the first forwarded request, if no proxy is declared', async () => {
  const { logged, call } = watch({});
  await call({});
  expect(logged).toEqual([]);
  for (let time = 0; time < 3; time += 1) await call(FORWARDED);
  const words = expect.stringMatching(/^proxy\.undeclared: .*Set SLIPWAY_TRUSTED_PROXIES/);
  expect(logged).toEqual([[words, { peer: '10.0.0.9' }]]);
});

test('logs no line for a declared proxy', async () => {
  const { logged, call } = watch({
    SLIPWAY_TRUSTED_PROXIES: '10.0.0.0/8',
    SLIPWAY_CONSOLE_URL: 'https://console.example.org',
  });
  await call(FORWARDED);
  expect(logged).toEqual([]);
});

test('logs the line at the start if the public address is https, and not again for a request', async () => {
  const { logged, call } = watch({ SLIPWAY_CONSOLE_URL: 'https://console.example.org' });
  await call(FORWARDED);
  expect(logged).toEqual([
    [expect.stringMatching(/^proxy\.undeclared: https:\/\/console\.example\.org needs a proxy/), undefined],
  ]);
});
