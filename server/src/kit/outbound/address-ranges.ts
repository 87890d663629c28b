// Ranges of addresses in CIDR notation, and whether an address lies in one of them. Pure.
import ipaddr from 'ipaddr.js';
import { effectiveAddress } from './addresses.ts';

export type AddressRanges = readonly ReturnType<typeof ipaddr.parseCIDR>[];

/** As Postgres writes it, or undefined for what is no range, or has a bit beyond its prefix. */
export function canonicalRange(text: string): string | undefined {
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [address, bits] = ipaddr.parseCIDR(text);
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(text).toString()
      : ipaddr.IPv6.networkAddressFromCIDR(text).toRFC5952String();
  const plain = address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String(); // its kind says so
  return network === plain ? `${network}/${bits}` : undefined;
}

export const parseRanges = (texts: readonly string[]): AddressRanges => texts.map((text) => ipaddr.parseCIDR(text));

/** An IPv4 address that is written as IPv6 counts as what it is. What is no address is in no range. */
export function isWithin(ranges: AddressRanges, ip: string): boolean {
  const address = effectiveAddress(ip);
  return address !== undefined && ranges.some((range) => range[0].kind() === address.kind() && address.match(range));
}
