// A record shows masks in place of values that it does not keep. This module refuses a call that sends a mask as data
// by mistake. Pure.
import { problem } from '../../kit/openapi/problems.ts';
import { findMasks } from '../requests/index.ts';
import type { CallInput } from './call.ts';

const detail = (pointer: string): string =>
  `is a mask of the Request Inspector, not the value that was sent: replace it with the value, or add \`${pointer}\` to \`literals\` if the text is meant literally`;
const MAX_ERRORS = 20;

/**
 * Throws `invalid_request` with the pointer of each mask in headers and body, except those that the caller means
 * literally.
 */
export function rejectMasks({ headers, body, literals = [] }: Pick<CallInput, 'headers' | 'body' | 'literals'>): void {
  const sent = { ...(headers && { headers }), ...(body !== undefined && { body: parsed(body) }) };
  const isMeant = new Set(literals);
  const errors = [...findMasks(sent)]
    .filter((pointer) => !isMeant.has(pointer))
    .slice(0, MAX_ERRORS)
    .map((pointer) => ({ pointer, detail: detail(pointer) }));
  if (errors.length > 0) throw problem('invalid_request', { errors });
}

/**
 * Returns the parsed body, or the text if it is not JSON. The whole text can be a mask if the recorder could not read
 * the body.
 */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
