import { describe, expect, test } from 'vitest';
import { MAX_PAGE_ORIGIN, pageOriginOf } from './browser.ts';
import { newKeyToken } from './key-token.ts';

const originOf = (origin: string | string[] | undefined, referer?: string) =>
  pageOriginOf({ headers: { origin, referer } });
const { token } = newKeyToken('sandbox');

describe('the origin of a page', () => {
  test.each([
    'https://app.example.com',
    'http://localhost:5173',
    'http://[::1]:8080',
    'https://xn--bcher-kva.example',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'capacitor://localhost',
    'https://a_b.example',
  ])('is shown as the browser sent it: %s', (origin) => {
    expect(originOf(origin)).toBe(origin);
  });

  test('is converted to lower case, so that a different spelling creates no second notice', () => {
    expect(originOf('HTTPS://App.Example.COM')).toBe('https://app.example.com');
  });

  test('is taken from Referer without path and query only if Origin is missing', () => {
    expect(originOf(undefined, 'https://app.example.com:8443/a?session=1#b')).toBe('https://app.example.com:8443');
    expect(originOf('null', 'https://app.example.com/')).toBe(null);
    expect(originOf('https://one.example', 'https://other.example/')).toBe('https://one.example');
  });

  test.each([
    ['absent', undefined],
    ['opaque', 'null'],
    ['empty', ''],
    ['longer than the limit', `https://${'a'.repeat(MAX_PAGE_ORIGIN - 'https://:65535'.length + 1)}:65535`],
    ['with a line break', 'https://a.example\r\nBcc: x@evil.example'],
    ['with a control character', 'https://a.example\u0007'],
    ['with an escape sequence', '\u001b[31mhttps://a.example'],
    ['with markup', 'https://<img src=x onerror=alert(1)>'],
    ['in Unicode', 'https://\u0430pple.example'],
    ['with a bidirectional override', 'https://a\u202eelpmaxe'],
    ['with a user', 'https://user:password@a.example'],
    ['of a script', 'javascript:alert(1)'],
    ['with a space', 'https://a.example https://b.example'],
    ['sent twice', ['https://a.example', 'https://b.example']],
    ['with a key', `https://${token}.example`],
    ['with a key in capitals', `https://${token.toUpperCase()}.example`],
  ])('is null if the header is %s', (_, origin) => {
    expect(originOf(origin)).toBe(null);
  });

  test('is shown up to the maximum length', () => {
    const host = `${'a'.repeat(MAX_PAGE_ORIGIN - 'https://:65535'.length - 2)}.b`;
    expect(originOf(`https://${host}:65535`)).toBe(`https://${host}:65535`);
  });
});
