// The address ranges of a key in the input of an operation: their schema, and what makes them invalid.
import { Type, text } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { canonicalRange } from '../../kit/outbound/address-ranges.ts';

const MAX_RANGES = 20;

/** Returns the schema of a list of address ranges. */
export const addressRanges = (description: string) =>
  Type.Array(
    text('A range of addresses in CIDR notation, such as `192.0.2.0/24` or `2001:db8::/32`.', {
      minLength: 4,
      maxLength: 43,
      pattern: '^[0-9A-Fa-f:.]+/[0-9]{1,3}$',
      examples: ['192.0.2.0/24'],
    }),
    { minItems: 1, maxItems: MAX_RANGES, uniqueItems: true, description },
  );

/** Returns the ranges that are no range, or have a bit set beyond their prefix. */
export const validateAddressRanges = (ranges: readonly string[], pointer: string): InvalidPart[] =>
  ranges.flatMap((range, at) =>
    canonicalRange(range) === undefined
      ? [
          {
            pointer: `${pointer}/${at}`,
            detail:
              'must be an address range in CIDR notation without bits beyond its prefix, for example 192.0.2.0/24',
          },
        ]
      : [],
  );
