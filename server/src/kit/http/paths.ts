// Paths as operations spell theirs, `/v1/servers/{serverId}`, and what of a path may be repeated that is none of them.
import { isId } from '../crypto/ids.ts';

/** As the router takes it. */
export function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/**
 * Which of these paths an address is of, whatever method it is asked for with: found as the router finds it, where a word goes before
 * what may be anything.
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
    const asked = decoded(url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, ''));
    return known.find(({ form }) => form.test(asked))?.path;
  };
}

// The router has decoded it before, and refused what cannot be; should it ever not have, such an address is of no path.
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The words of which these paths are made. */
export function wordsOf(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => path.split('/')).filter((part) => !part.startsWith('{')));
}

const MAX_SEGMENTS = 12;

/**
 * A path that leads nowhere, with `*` for each part of it that is neither a word of our paths nor an identifier: what somebody
 * has put there by mistake may be anything.
 */
export function maskPath(url: string, words: ReadonlySet<string>): string {
  const segments = url.replace(/[?#].*$/s, '').split('/');
  const told = segments.slice(0, MAX_SEGMENTS).map((segment) => (words.has(segment) || isId(segment) ? segment : '*'));
  return segments.length > MAX_SEGMENTS ? `${told.join('/')}/*` : told.join('/');
}
