// State of a replay's body: its text, and the masks of the record that it still contains.
import { useState } from 'react';
import type { RequestDetail } from '../../kit/api.ts';
import { findUnfilledMasks, type Json, type MaskedValue, parseBody, valueAt } from './masked-body.ts';

export interface ReplayBody {
  text: string;
  /** Undefined if the text is not JSON. */
  json: Json | undefined;
  masked: readonly MaskedValue[];
  unfilled: readonly MaskedValue[];
  /** Text that was typed into the field of a masked value, by pointer. */
  typed: Readonly<Record<string, string>>;
  /**
   * Pointers into the request at which a text equals a mask but is meant literally, because it was typed into its own
   * field.
   */
  literals: string[];
  setText: (text: string) => void;
  fill: (pointer: string, typed: string, text: string) => void;
}

/** Returns the state. `initial` is an example for a record without a body. */
export function useReplayBody(request: RequestDetail, keptBody: string | undefined, initial: string): ReplayBody {
  const [changed, setChanged] = useState<string>();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const text = changed ?? keptBody ?? initial;
  const json = parseBody(text);
  const masked = masksOf(request, keptBody);
  const filled = new Set(Object.keys(typed).filter((pointer) => typed[pointer] !== ''));
  const isLiteral = ({ pointer, mask }: MaskedValue): boolean => filled.has(pointer) && typed[pointer] === mask;
  return {
    text,
    json,
    masked,
    unfilled: findUnfilledMasks(text, masked, filled),
    typed,
    literals: masked.filter(isLiteral).map(({ pointer }) => `/body${pointer}`),
    setText: (next) => {
      setChanged(next);
      setTyped({});
    },
    fill: (pointer, one, next) => {
      setChanged(next);
      setTyped((before) => ({ ...before, [pointer]: one }));
    },
  };
}

function masksOf({ maskedPointers }: RequestDetail, keptBody: string | undefined): MaskedValue[] {
  if (keptBody === undefined) return [];
  const kept = parseBody(keptBody) ?? keptBody; // the body of a record without content is a mask, not JSON
  return maskedPointers.flatMap((pointer) => {
    const mask = valueAt(kept, pointer);
    return typeof mask === 'string' ? [{ pointer, mask }] : [];
  });
}
