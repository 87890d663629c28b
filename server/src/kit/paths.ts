// Paths as operations spell theirs, `/v1/servers/{serverId}`, and what of a path may be repeated that is none of them.
import { isId } from './ids.ts';

/** As the router takes it. */
export function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
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
