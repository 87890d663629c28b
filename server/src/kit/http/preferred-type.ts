// Chooses the media type of a response that can have several (RFC 9110, section 12.5.1).

/** Returns a media type without its parameters. */
export const typeName = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? '';

interface Range {
  type: string;
  weight: number;
}

/**
 * Returns the type, with its parameters, that the header `Accept` prefers. Without a preference, or if the header accepts
 * none of the types, returns the first one. Parameters such as `charset` are not compared.
 */
export function preferredType(types: readonly string[], accept: string | string[] | undefined): string | undefined {
  const ranges = [accept ?? []].flat().join().split(',').map(readRange);
  const weights = types.map((type) => weightOf(typeName(type), ranges));
  const highest = Math.max(0, ...weights);
  return types[highest === 0 ? 0 : weights.indexOf(highest)];
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((one) => one.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** Returns the weight of the most specific range that contains the type. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const names = [type, `${type.split('/')[0]}/*`, '*/*'];
  const [found] = names.flatMap((name) => ranges.find((range) => range.type === name) ?? []);
  return found?.weight ?? 0;
}
