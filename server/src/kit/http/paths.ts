// Paths in the form of operations, `/v1/things/{thingId}`, and the masking of paths that match no operation.
import { isId } from '../crypto/ids.ts';

/** Returns the path of an operation with the values of its parameters. */
export const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** Converts a path to the form of the router, in which a single colon begins a parameter. */
export function routePath(path: string): string {
  return path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1');
}

/**
 * Returns a function that finds the path of a URL, independent of the method. Like the router, it prefers a word to a
 * parameter.
 */
export function pathFinder(paths: readonly string[]): (url: string) => string | undefined {
  const placeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '\uffff');
  const known = [...new Set(paths)]
    .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
    .map((path) => ({
      path,
      form: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
    }));
  return (url) => {
    const path = decoded(url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, ''));
    return known.find(({ form }) => form.test(path))?.path;
  };
}

// The router has already decoded the path or refused it. Otherwise, an address that cannot be decoded matches no path.
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Returns the fixed words in these paths. */
export function collectPathWords(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => path.split('/')).filter((part) => !part.startsWith('{')));
}

const MAX_SEGMENTS = 12;

/**
 * Returns an unknown path with `*` for each part that is neither a word of the paths nor an id. A client may have put
 * anything there by mistake.
 */
export function maskPath(url: string, words: ReadonlySet<string>): string {
  const segments = url.replace(/[?#].*$/s, '').split('/');
  const maskedSegments = segments
    .slice(0, MAX_SEGMENTS)
    .map((segment) => (words.has(segment) || isId(segment) ? segment : '*'));
  return segments.length > MAX_SEGMENTS ? `${maskedSegments.join('/')}/*` : maskedSegments.join('/');
}
