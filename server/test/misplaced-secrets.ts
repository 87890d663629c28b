// Text that does not belong in a request, and the places where it may occur: spellings of Slipway's secrets, and
// canaries, which are arbitrary text in places that the contract does not define.
import { gzipSync } from 'node:zlib';

const hexOf = (character: string): string => character.charCodeAt(0).toString(16);
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'; // RFC 4648

/** The spellings of a secret. */
export const SPELLINGS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64, inside another text': (text) => Buffer.from(`{"k":"${text}"}`).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'each byte in percent-encoding': (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
  'percent-encoding twice': (text) => encodeURIComponent(Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')),
  'escapes of JSON': (text) => [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'entities of HTML': (text) => [...text].map((one) => `&#${one.charCodeAt(0)};`).join(''),
  backwards: (text) => [...text].reverse().join(''),
  'UTF-16 in base64': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'gzip in base64': (text) => gzipSync(text).toString('base64'),
  // Spellings that no masking searches for by name. They detect places that let free text through.
  'escapes of Markdown': (text) => text.replaceAll(/[_+=]/g, '\\$&'),
  'quoted-printable': (text) => text.replaceAll(/[_+=/]/g, (one) => `=${hexOf(one).toUpperCase()}`),
  'its punctuation in percent-encoding twice': (text) => text.replaceAll(/[_+=/]/g, (one) => `%25${hexOf(one)}`),
  base32: (text) =>
    [...Buffer.from(text)]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .replaceAll(/.{1,5}/g, (bits) => BASE32[Number.parseInt(bits.padEnd(5, '0'), 2)] ?? ''),
  'octal escapes': (text) => [...text].map((one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`).join(''),
  'hex with spaces': (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '$& ').trimEnd(),
  'a letter a word': (text) => [...text].join(' '),
};

export interface MisplacedRequest {
  method: string;
  path: string;
  body?: string;
  headers: Record<string, string>;
}

export const toHeaderValue = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 2_000);

/** Returns requests with misplaced text. Each is refused, so no part becomes stored data of a member. */
export function placeText(
  operation: { method: string; path: string; body?: unknown },
  text: string,
): MisplacedRequest[] {
  const { method, path } = operation;
  const known = path.replaceAll(/\{\w+\}/g, 'x');
  const encoded = encodeURIComponent(text);
  const headers = {
    'user-agent': toHeaderValue(text),
    'idempotency-key': toHeaderValue(text).slice(0, 255),
    'x-mine': toHeaderValue(text),
  };
  return [
    { method, path: `${known}?${encoded}=${encoded}`, headers },
    { method, path: `${path.replaceAll(/\{\w+\}/g, encoded)}?${encoded}`, headers },
    ...(operation.body === undefined
      ? []
      : [{ method, path: `${known}?x=1`, headers, body: JSON.stringify({ [text]: text, a: [text] }) }]),
  ];
}

/**
 * Returns the lines that contain the middle part of a spelling, so that truncated and embedded spellings are found too.
 */
export function findSpellings(contents: string, secrets: Record<string, string>): string[] {
  const lines = contents.split('\n');
  return Object.entries(secrets).flatMap(([what, secret]) =>
    Object.entries(SPELLINGS).flatMap(([how, spell]) => {
      const whole = spell(secret);
      const middle = whole.slice(Math.floor(whole.length * 0.4), Math.floor(whole.length * 0.4) + 24);
      return lines.filter((line) => line.includes(middle)).map((line) => `${what}, ${how}: ${line.slice(0, 300)}`);
    }),
  );
}

/** An arbitrary text that no pattern recognises as a secret. */
export const CANARY = 'Zq7canaryVw3';
/** The same of lower-case letters, which look like an ordinary word. */
export const CANARY_OF_LETTERS = 'mfkqzrtwxhbvnpls';

const TICKET = { subject: 's', body: 'b' };

/** Returns requests with the text in free-text fields. Each is refused for another reason. */
export function placeInFreeText(serverId: string, text: string): MisplacedRequest[] {
  const target = { method: 'POST', path: `/v1/servers/${serverId}/tickets` };
  const middle = Buffer.from(text).toString('hex').slice(-80);
  const headers = { traceparent: `00-${middle.slice(0, 32)}-${middle.slice(32, 48)}-01` };
  return [
    { subject: text.slice(0, 200), body: text },
    { ...TICKET, body: `My key is ${text}, which does not work.`, labels: text.match(/.{1,50}/gs)?.slice(0, 20) },
  ].map((fields) => ({ ...target, headers, body: JSON.stringify({ ...fields, priority: 'none' }) }));
}

/** Returns requests with a canary in places that the contract does not define or does not allow. Each is refused. */
export function withCanary(serverId: string, canary: string): MisplacedRequest[] {
  const get = (path: string, headers: Record<string, string> = {}): MisplacedRequest => ({
    method: 'GET',
    path,
    headers,
  });
  const tickets = `/v1/servers/${serverId}/tickets`;
  const post = (body: unknown, headers: Record<string, string> = {}): MisplacedRequest => ({
    method: 'POST',
    path: tickets,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const named = {
    'user-agent': `bridge/1.4 ${canary} (${canary}) ${canary}/1.0`,
    'x-mine': canary,
    cookie: `a=${canary}`,
  };
  const refused = { ...TICKET, priority: 'none' };
  return [
    get('/v1/me', { ...named, referer: `https://${canary}.example`, 'x-forwarded-for': canary, [canary]: canary }),
    get('/v1/me', {
      'user-agent': canary,
      'x-forwarded-for': `fe80::1%${canary}`,
      traceparent: `00-${canary}-${canary}-01`,
    }),
    get('/v1/me', { origin: `https://${canary}.example` }),
    get('/v1/me', { accept: `text/${canary}`, 'if-none-match': `"${canary}"` }),
    get('/v1/me', { 'sandbox-simulate': `code=${canary.toLowerCase()}` }),
    get(`/v1/${canary}`),
    get(`/v1/${canary}/servers?${canary}=1`),
    get(`/v1/servers/${canary}`),
    get(`/v1/servers/${serverId}/${canary}`),
    get(`/v1/servers/${canary}/tickets/${canary}?a=${canary}#${canary}`),
    get(`/v1/servers?limit=${canary}&${canary}=${canary}&cursor=${canary}`),
    get(`/v1/servers?limit=1&limit=${canary}`),
    get(`/v1/servers?cursor=${canary}`),
    get(`/v1/events?type=${canary}&serverId=${canary}`),
    { method: 'DELETE', path: `/v1/servers/${canary}?${canary}`, headers: {} },
    post({ ...TICKET, [canary]: canary }),
    post({ ...TICKET, [canary]: { [canary]: [canary] } }),
    post({ subject: { [canary]: canary }, body: [canary], category: canary }),
    post({
      ...refused,
      labels: [{ [canary]: canary }],
      requester: { name: canary, reference: canary, [canary]: canary },
    }),
    post({ ...refused, metadata: { [canary]: canary, 'a b': canary } }),
    post([canary, { [canary]: canary }]),
    post(JSON.stringify(canary)),
    post(`{"subject": "${canary}`),
    post(refused, { 'idempotency-key': canary, 'content-type': `application/json; charset=${canary}` }),
    post(refused, { 'content-type': `application/${canary}`, 'content-encoding': canary }),
    post(refused, { 'idempotency-key': canary }),
  ];
}
