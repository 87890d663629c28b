// The state of a replay's body: its text, and what of the record's masks is still in it.
import { useState } from 'react';
import type { RequestDetail } from '../../kit/api.ts';
import { type Json, type MaskedValue, parseBody, unfilledIn, valueAt } from './masked-body.ts';

export interface ReplayBody {
  text: string;
  /** Undefined where the text is not JSON. */
  json: Json | undefined;
  masked: readonly MaskedValue[];
  unfilled: readonly MaskedValue[];
  /** Text that was typed into the field of a masked value, by pointer. */
  typed: Readonly<Record<string, string>>;
  /** Pointers into the request at which a text is meant although it equals the mask: it was typed into the field of its own. */
  literals: string[];
  setText: (text: string) => void;
  fill: (pointer: string, typed: string, text: string) => void;
}

/** `initial`: an example, where the record keeps nothing of the body. */
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
    unfilled: unfilledIn(text, masked, filled),
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
  const kept = parseBody(keptBody) ?? keptBody; // a body of which nothing is kept is a mask, and no JSON
  return maskedPointers.flatMap((pointer) => {
    const mask = valueAt(kept, pointer);
    return typeof mask === 'string' ? [{ pointer, mask }] : [];
  });
}
