// The media types of bodies and responses. A contract has JSON and files.
import { isJsonType } from '../../access/contracts/index.ts';
import { typeName } from '../../kit/http/preferred-type.ts';
import type { Part } from './part.ts';

type Media = readonly [type: string, part: Part];

export const isJson = (type: string): boolean =>
  /^(?:application\/json|[\w.-]+\/[\w.-]+\+json|\*\/\*)\s*(?:;.*)?$/i.test(type);

/** Returns whether a type is `application/json`, which the server sends and accepts, or a range that contains it. */
const isPlainJson = (type: string): boolean => /^(?:application\/json|\*\/\*)\s*(?:;.*)?$/i.test(type);

/** Returns the media type in JSON that the contract has; undefined if there is none. */
export const findJson = (media: readonly Media[]): Media | undefined =>
  media.find(([type]) => isPlainJson(type)) ?? media.find(([type]) => isJson(type));

/** Returns the type that the contract declares for JSON; undefined for `application/json` and for other types. */
export function jsonTypeOf(type: string): string | undefined {
  const name = typeName(type);
  return isJsonType(name) ? name : undefined;
}

/** Reports the types that the contract leaves out, and a chosen type that becomes `application/json`. */
export function reportTypes(media: readonly Media[], chosen: Media, content: 'body' | 'response'): void {
  const [type, part] = chosen;
  if (jsonTypeOf(type) === undefined && !isPlainJson(type))
    part.report(`is the media type ${type.slice(0, 100)} of a ${content}. The contract has application/json instead`);
  for (const [other, one] of media)
    if (other !== type)
      one.report(`is a further media type of a ${content} (${other.slice(0, 100)}). The contract leaves it out`);
}

/** Returns the examples of a media type or a parameter. */
export function examplesOf(part: Part): Part[] {
  const several = part.own('examples')?.entries() ?? [];
  const values = several.map(([, example]) => example.target()?.own('value'));
  return [part.own('example'), ...values].filter((one) => one !== undefined);
}
