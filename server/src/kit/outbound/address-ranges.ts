// Ranges of addresses in CIDR notation, and whether a range contains an address. Pure.
import ipaddr from 'ipaddr.js';
import { effectiveAddress } from './addresses.ts';

export type AddressRanges = readonly ReturnType<typeof ipaddr.parseCIDR>[];

/**
 * Returns the range in the notation of Postgres; undefined if the text is no range, or has a bit set beyond its prefix.
 */
export function canonicalRange(text: string): string | undefined {
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [address, bits] = ipaddr.parseCIDR(text);
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(text).toString()
      : ipaddr.IPv6.networkAddressFromCIDR(text).toRFC5952String();
  // checked by its kind
  const plain = address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String();
  return network === plain ? `${network}/${bits}` : undefined;
}

export const parseRanges = (texts: readonly string[]): AddressRanges => texts.map((text) => ipaddr.parseCIDR(text));

/**
 * Returns whether one of the ranges contains the address. An IPv4 address in IPv6 notation counts as IPv4. Text that is
 * no address is in no range.
 */
export function isWithin(ranges: AddressRanges, ip: string): boolean {
  const address = effectiveAddress(ip);
  return address !== undefined && ranges.some((range) => range[0].kind() === address.kind() && address.match(range));
}

/**
 * Returns whether the ranges contain a stored address, which is an address or the network that replaced it. Returns
 * undefined if they contain only a part of the network, or if no address was stored.
 */
export function isStoredAddressWithin(ranges: AddressRanges, stored: string | null): boolean | undefined {
  if (stored === null) return undefined;
  if (!ipaddr.isValidCIDR(stored)) return isWithin(ranges, stored);
  const [network, bits] = ipaddr.parseCIDR(stored);
  const sameKind = ranges.filter(([address]) => address.kind() === network.kind());
  if (sameKind.some(([address, length]) => length <= bits && network.match([address, length]))) return true;
  return sameKind.some(([address]) => address.match([network, bits])) ? undefined : false;
}
