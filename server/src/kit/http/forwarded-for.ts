// Reads addresses as proxies write them into X-Forwarded-For. The header Forwarded (RFC 7239) is not used.

import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** More proxies than any real chain has. The limit bounds the cost of a longer header. */
const MAX_HOPS = 32;
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/**
 * Returns the plain IP address of one entry, without port, brackets or zone; undefined for anything else, such as
 * `unknown`.
 */
export function readAddress(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, ipv4] = WITH_PORT.exec(text) ?? [];
  const address = (bracketed ?? ipv4 ?? text).replace(/%[\w.~-]+$/, '');
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Rewrites the address fields that the HTTP framework reads, so that each one is a plain IP address. An entry that is
 * no address ends the chain: the caller is then the proxy that wrote it, never an error. A link-local peer loses its
 * zone.
 */
export function normaliseAddresses({ headers, socket }: FastifyRequest['raw']): void {
  const { remoteAddress } = socket;
  if (remoteAddress?.includes('%')) {
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
