// Reads addresses as proxies write them into X-Forwarded-For. The header Forwarded (RFC 7239) is not used.

import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** More proxies than any real chain has. The limit bounds the cost of a longer header. */
const MAX_HOPS = 32;
/** An IPv4 address in an IPv6 address (RFC 4291, section 2.5.5.2), in the spelling of the URL parser. */
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/** Returns the IPv4 address in a mapped address of any spelling. Returns another address unchanged. */
function unmapAddress(address: string): string {
  if (!/^[0:]/.test(address)) return address;
  const [, high, low] = MAPPED.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === undefined || low === undefined) return address;
  const words = [high, low].map((word) => Number.parseInt(word, 16));
  return words.flatMap((word) => [word >> 8, word & 255]).join('.');
}

/**
 * Returns the plain IP address of one entry, without port, brackets or zone, and IPv4 in its own notation; undefined
 * for anything else, such as `unknown`.
 */
export function readAddress(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, ipv4] = WITH_PORT.exec(text) ?? [];
  const address = (bracketed ?? ipv4 ?? text).replace(/%[\w.~-]+$/, '');
  switch (isIP(address)) {
    case 0:
      return undefined;
    case 4:
      return address;
    default:
      return unmapAddress(address);
  }
}

/**
 * Rewrites the address fields that the HTTP framework reads, so that each one is a plain IP address. An entry that is
 * no address ends the chain: the caller is then the proxy that wrote it, never an error. A link-local peer loses its
 * zone. A peer whose IPv4 address is mapped to IPv6, as on a socket for both, gets its IPv4 address.
 */
export function normaliseAddresses({ headers, socket }: FastifyRequest['raw']): void {
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined && /^::f|%/.test(remoteAddress)) {
    Object.defineProperty(socket, 'remoteAddress', { value: readAddress(remoteAddress), configurable: true });
  }
  const header = headers['x-forwarded-for'];
  if (header === undefined) return;
  const known: string[] = [];
  for (const entry of String(header).split(',').slice(-MAX_HOPS).reverse()) {
    const address = readAddress(entry);
    if (address === undefined) break;
    known.unshift(address);
  }
  if (known.length > 0) headers['x-forwarded-for'] = known.join(', ');
  else delete headers['x-forwarded-for'];
}
