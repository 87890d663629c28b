import { describe, expect, test } from 'vitest';
import { createSigningSecret, sign } from '../../../kit/crypto/standard-webhooks.ts';
import { evaluateResult, MAX_READ_BYTES } from './attempt-result.ts';
import { confidentialOf, maskFor } from './mask-echo.ts';

const TOKEN = 'k3y/of+a"receiver';
const [own, earlier] = [createSigningSecret(), createSigningSecret()];
const signatures = sign([own, earlier], 'evt_a', 1, '{}');
const credentials = Buffer.from('imke:pass of imke').toString('base64');
const custom = { authorization: `Bearer ${TOKEN}`, 'x-login': `Basic ${credentials}`, 'x-tenant': 'acme' };
const mask = maskFor(confidentialOf(custom, [own, earlier]), signatures);
const whole = custom.authorization;

const SPELLINGS: Record<string, string> = {
  'as it was sent': whole,
  'without its scheme': TOKEN,
  'in JSON': JSON.stringify({ authorization: whole }),
  'in JSON of PHP': JSON.stringify({ authorization: whole }).replaceAll('/', '\\/'),
  'in JSON inside of JSON': JSON.stringify(JSON.stringify({ authorization: whole })),
  'in escapes of JSON': [...TOKEN].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'in a page': `<p>${whole.replaceAll('"', '&quot;').replaceAll('/', '&#x2F;').replaceAll('+', '&#43;')}</p>`,
  'in a URL': `https://example.org/?a=${encodeURIComponent(whole)}`,
  'in base64, somewhere': Buffer.from(`GET / authorization: ${whole} `).toString('base64'),
  'in hex': Buffer.from(whole).toString('hex').toUpperCase(),
  'of credentials, decoded': 'Hello imke:pass of imke!',
  'of credentials, the password': 'wrong: pass of imke',
};

describe('confidential values', () => {
  test.each(Object.entries(SPELLINGS))('a confidential value is not stored %s', (_, text) => {
    for (const around of [text, `${'x'.repeat(100)} ${text} and on`]) {
      const kept = mask(around);
      expect(kept).toContain('[secret]');
      for (const part of [TOKEN, 'pass of imke', text]) expect(kept).not.toContain(part);
    }
  });

  test('the signing secrets, with and without prefix, and each signature are masked', () => {
    for (const secret of [own, earlier]) {
      const text = secret.reveal();
      for (const spelt of [text, text.slice(6), encodeURIComponent(text), Buffer.from(text).toString('base64')]) {
        const kept = mask(`expected ${spelt}, sorry`);
        expect(kept).toContain('[secret]');
        expect(kept).not.toContain(spelt);
      }
    }
    for (const signature of signatures.split(' ')) expect(mask(`got ${signature}`)).toBe('got v1,[secret]');
  });

  test('masking removes the value and keeps the rest of the text', () => {
    const text = 'a tenant of acme: "Grüße" \\u00fc &amp; %41 Zm9vYmFyYmF6';
    expect(mask(text)).toBe(text);
    expect(mask(`${text} ${whole}!`)).toBe(`${text} [secret]!`);
    expect(maskFor([], undefined)(`${text} ${whole}`)).toBe(`${text} ${whole}`);
  });

  test.each([
    0, 1, 8, 20,
  ])('a value is masked even if the response is cut %i bytes into it, at its start or end', (into) => {
    for (const limit of [16_384, MAX_READ_BYTES]) {
      const sent = Buffer.from('x'.repeat(limit - into) + whole + 'y'.repeat(20_000));
      const concluded = evaluateResult(
        {
          kind: 'response',
          status: 200,
          headers: { 'x-echo': whole },
          body: sent.subarray(0, MAX_READ_BYTES),
          isBodyTruncated: true,
          durationUs: 1,
        },
        { attemptNo: 1, random: 0, speed: 1, hasBegun: true, stoppedBy: undefined, nowMs: 0, mask },
      );
      const record = 'record' in concluded && 'body' in concluded.record ? concluded.record : undefined;
      expect([record?.isBodyTruncated, record?.headers]).toEqual([true, { 'x-echo': '[secret]' }]);
      for (const half of [whole.slice(0, 6), TOKEN.slice(0, 4), TOKEN.slice(-4)])
        expect(record?.body).not.toContain(half);
      expect(record?.body.length).toBeLessThanOrEqual(16_384);
    }
  });
});
