import { expect, test } from 'vitest';
import { refuseUrl } from '../kit/outbound/outbound.ts';
import { outboundRulesOf } from './outbound-rules.ts';

const settings = { webhookAllowHosts: [], webhookAllowCidrs: [] };

test.each([
  ['https://localhost:3000/hook', 'HOSTS'],
  ['https://10.0.0.5', 'CIDRS'],
])('the refusal of %s names the setting that would allow it: SLIPWAY_WEBHOOK_ALLOW_%s', (url, setting) => {
  const permission = `The operator of this Slipway can allow others: SLIPWAY_WEBHOOK_ALLOW_${setting}.`;
  expect(refuseUrl(url, outboundRulesOf(settings))).toBe(`The URL must lead to a public address. ${permission}`);
  expect(refuseUrl(url, outboundRulesOf(settings, 'Run a listener.'))).toBe(
    `The URL must lead to a public address. Run a listener. ${permission}`,
  );
});

test('listed hosts and ranges are allowed', () => {
  const rules = outboundRulesOf({ webhookAllowHosts: ['localhost:3000'], webhookAllowCidrs: ['10.0.0.0/8'] });
  expect(refuseUrl('http://localhost:3000/hook', rules)).toBeUndefined();
  expect(refuseUrl('https://10.0.0.5', rules)).toBeUndefined();
});
