// Pure rules for the URLs and IP addresses to which an outbound request may go. No I/O. The rules judge the result of
// the WHATWG parser and of the resolver, never the spelling.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isBadPort } from './bad-ports.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network whose addresses are not public, although a user may want to reach them. */
type LocalNetwork = 'loopback' | 'private';

export interface OutboundRules {
  /** Exact `host:port` entries, which may use plain http and loopback. */
  readonly allowHosts: readonly string[];
  /** Ranges that count as public, for example a private network. */
  readonly allowCidrs?: readonly string[];
  /** Sentences for a refused URL of this machine or of a private network: how it can be reached or allowed. */
  readonly advice?: Readonly<Record<LocalNetwork, string>>;
}

export interface CompiledRules {
  readonly hosts: ReadonlySet<string>;
  readonly cidrs: readonly [Address, number][];
  readonly advice: OutboundRules['advice'];
}

export interface UrlRefusal {
  readonly failure: 'blocked_address' | 'protocol';
  /**
   * A sentence for the user. The sentence never names a resolved address, because that would map a private network.
   */
  readonly detail: string;
}

export interface Target {
  readonly origin: string;
  /** Includes the query. */
  readonly path: string;
  readonly isHttps: boolean;
  /** Includes the port, even the default port. */
  readonly host: string;
  /** Without brackets and without the trailing dot of the DNS root. */
  readonly hostname: string;
  readonly port: number;
  readonly isListed: boolean;
}

const MAX_URL_LENGTH = 2048;
// The longest name that can be resolved (RFC 1035, section 2.3.4). The parser has no limit.
const MAX_HOSTNAME_LENGTH = 253;

// ipaddr.js calls both unicast. 168.63.129.16 is Azure's host agent, which every virtual machine there can reach.
const AZURE_HOST_AGENT = '168.63.129.16';
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
// RFC 6052: a network without IPv4 reaches IPv4 hosts through this prefix, so the embedded address counts. The
// local-use prefix 64:ff9b:1::/48 (RFC 8215) is outside 2000::/3 and refused.
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const MAPPED = ipaddr.IPv6.parseCIDR('::ffff:0:0/96');

/**
 * Returns the address to which a packet would go, in one canonical form; undefined if the text is no address or has a
 * zone. The conversion through URL is required: ipaddr.js reads the text `::8.8.8.8` (compatible) as `::ffff:8.8.8.8`
 * (mapped).
 */
export const effectiveAddress = (ip: string): Address | undefined => {
  const family = isIP(ip);
  if (family === 0 || ip.includes('%')) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(ip);
  const address = ipaddr.IPv6.parse(new URL(`http://[${ip}]`).hostname.slice(1, -1));
  const holdsIpv4 = address.match(MAPPED) || address.match(NAT64);
  return holdsIpv4 ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
};

const isPublic = (address: Address): boolean => {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return address.toString() !== AZURE_HOST_AGENT;
  return address.match(GLOBAL_UNICAST);
};

/**
 * Returns whether the address is ordinary public unicast. An IPv4 address in a mapped or NAT64 address is judged by
 * itself. 6to4, Teredo, IPv4-compatible and all other special or unassigned addresses are not public.
 */
export const isPublicAddress = (ip: string): boolean => {
  const address = effectiveAddress(ip);
  return address !== undefined && isPublic(address);
};

/** Checks an address. Applies to the literal, to each resolved address and to the connected socket. */
export const isAllowedAddress = (ip: string, rules: CompiledRules, isListed: boolean): boolean => {
  const address = effectiveAddress(ip);
  if (address === undefined) return false;
  if (isPublic(address)) return true;
  if (isListed && address.range() === 'loopback') return true;
  return rules.cidrs.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr));
};

const plainHostname = (url: URL): string => {
  if (url.hostname.startsWith('[')) return url.hostname.slice(1, -1);
  return url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
};

const hostKey = (entry: string): string => {
  const [, host, port] = /^([^/\\@?#*\s]+):(\d{1,5})$/.exec(entry) ?? [];
  if (host === undefined || !URL.canParse(`http://${host}:${port}`)) {
    throw new Error(`An allowed host must have the form host:port, not ${JSON.stringify(entry)}.`);
  }
  return `${plainHostname(new URL(`http://${host}`))}:${Number(port)}`;
};

/** Throws on a malformed entry, so that a start-up shows the mistake. */
export const compileRules = (rules: OutboundRules): CompiledRules => ({
  hosts: new Set(rules.allowHosts.map(hostKey)),
  cidrs: (rules.allowCidrs ?? []).map((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) throw new Error(`${JSON.stringify(cidr)} is not a range in CIDR notation.`);
    return ipaddr.parseCIDR(cidr);
  }),
  advice: rules.advice,
});

const createUrlRefusal = (failure: UrlRefusal['failure'], detail: string): UrlRefusal => ({ failure, detail });

const isLoopbackName = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost');

const NOT_PUBLIC = 'The URL must lead to a public address.';
const PRIVATE_RANGES: readonly string[] = ['private', 'uniqueLocal', 'carrierGradeNat'];

function localNetworkOf(hostname: string): LocalNetwork | undefined {
  const range = effectiveAddress(hostname)?.range();
  if (isLoopbackName(hostname) || range === 'loopback') return 'loopback';
  return range !== undefined && PRIVATE_RANGES.includes(range) ? 'private' : undefined;
}

/** Returns the message for a blocked host. */
function notPublic(hostname: string, { advice }: CompiledRules): string {
  const network = localNetworkOf(hostname);
  return advice && network ? `${NOT_PUBLIC} ${advice[network]}` : NOT_PUBLIC;
}

const NOT_HTTPS = 'The URL must begin with https://, for example https://example.org/hook.';

/**
 * Returns the target of the URL, or why it must not be called. A host name is judged as a name here, and later by its
 * addresses.
 */
export const checkUrl = (text: string, rules: CompiledRules): Target | UrlRefusal => {
  if (text.length > MAX_URL_LENGTH)
    return createUrlRefusal('protocol', `The URL is longer than ${MAX_URL_LENGTH} characters.`);
  // The parser would silently drop spaces and line breaks, but the stored URL must be the called one.
  if (/\s/.test(text) || !URL.canParse(text)) return createUrlRefusal('protocol', 'The URL is not valid.');
  const url = new URL(text);
  const isHttps = url.protocol === 'https:';
  if (!isHttps && url.protocol !== 'http:') return createUrlRefusal('protocol', NOT_HTTPS);
  if (url.username !== '' || url.password !== '') {
    return createUrlRefusal('protocol', 'The URL must not contain a user name or password.');
  }
  if (url.href.includes('#')) return createUrlRefusal('protocol', 'The URL must not have a fragment (#...).');

  const hostname = plainHostname(url);
  if (hostname.length > MAX_HOSTNAME_LENGTH) {
    return createUrlRefusal('protocol', `The host name is longer than ${MAX_HOSTNAME_LENGTH} characters.`);
  }
  const port = Number(url.port || (isHttps ? 443 : 80));
  const host = `${hostname}:${port}`;
  const isListed = rules.hosts.has(host);
  const isBlocked =
    isIP(hostname) === 0 ? !isListed && isLoopbackName(hostname) : !isAllowedAddress(hostname, rules, isListed);
  if (isBlocked) return createUrlRefusal('blocked_address', notPublic(hostname, rules));
  if (!isHttps && !isListed) return createUrlRefusal('protocol', NOT_HTTPS);
  if (!isListed && isBadPort(port))
    return createUrlRefusal('protocol', `Port ${port} belongs to a protocol other than HTTP.`);
  return { origin: url.origin, path: url.pathname + url.search, isHttps, host, hostname, port, isListed };
};

/** Judges a URL when it is stored. Returns sentences for the user; undefined if the URL may be called. */
export const refuseUrl = (url: string, rules: OutboundRules): string | undefined => {
  const verdict = checkUrl(url, compileRules(rules));
  return 'failure' in verdict ? verdict.detail : undefined;
};

/** Returns the network of an address as a range. The range is stored where a single machine must not be identified. */
export function networkOf(ip: string, bits4: number, bits6: number): string {
  const address = effectiveAddress(ip.replace(/%.*$/, ''));
  if (address === undefined) return 'unknown';
  const bits = address.kind() === 'ipv4' ? bits4 : bits6;
  const bytes = address.toByteArray().map((byte, at) => byte & (0xff << Math.max(0, Math.min(8, (at + 1) * 8 - bits))));
  return `${ipaddr.fromByteArray(bytes)}/${bits}`;
}

export const ADDRESS_PRECISIONS = ['whole', 'network', 'none'] as const;
/** How much of a caller's address may be stored. */
export type AddressPrecision = (typeof ADDRESS_PRECISIONS)[number];

/**
 * Returns the part of an address that may be stored. Returns null for text that is no address: a closed connection has
 * none, and a proxy may forward any text.
 */
export function reduceAddress(ip: string | undefined, keeping: AddressPrecision): string | null {
  if (ip === undefined || keeping === 'none' || isIP(ip) === 0 || ip.includes('%')) return null;
  return keeping === 'whole' ? ip : networkOf(ip, 24, 48);
}
