// The media types of bodies and responses. A contract has JSON and files.
import type { Part } from './part.ts';

type Media = readonly [type: string, part: Part];

export const isJson = (type: string): boolean =>
  /^(?:application\/json|[\w.-]+\/[\w.-]+\+json|\*\/\*)\s*(?:;.*)?$/i.test(type);

/** Returns whether a type is the one that a server of the contract sends and accepts, or a range with it. */
const isPlainJson = (type: string): boolean => /^(?:application\/json|\*\/\*)\s*(?:;.*)?$/i.test(type);

/** Returns the media type in JSON that the contract has; undefined if there is none. */
export const findJson = (media: readonly Media[]): Media | undefined =>
  media.find(([type]) => isPlainJson(type)) ?? media.find(([type]) => isJson(type));

/** The media types of bodies that the contract has in addition to `application/json`. */
const KEPT = /^application\/[a-z0-9][a-z0-9.-]{0,79}\+json$/;

/** Returns the type of a body that is not `application/json`; undefined if the contract cannot have it. */
export function bodyTypeOf(type: string): string | undefined {
  const name = type.split(';')[0]?.trim().toLowerCase() ?? '';
  return KEPT.test(name) ? name : undefined;
}

/** Reports the types of a body or a response next to the one of the contract, and a type of JSON that the contract renames. */
export function reportTypes(media: readonly Media[], chosen: Media, content: 'body' | 'response'): void {
  const [type, part] = chosen;
  const isKept = content === 'body' && bodyTypeOf(type) !== undefined;
  if (!isKept && !isPlainJson(type))
    part.report(`is the type ${type.slice(0, 100)} of a ${content}. The contract has application/json in place of it`);
  for (const [other, one] of media)
    if (other !== type)
      one.report(`is a further type of a ${content} (${other.slice(0, 100)}). The contract has JSON only`);
}

/** Returns the examples of a media type or a parameter. */
export function examplesOf(part: Part): Part[] {
  const several = part.own('examples')?.entries() ?? [];
  const values = several.map(([, example]) => example.target()?.own('value'));
  return [part.own('example'), ...values].filter((one) => one !== undefined);
}
