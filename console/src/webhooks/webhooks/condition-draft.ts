// A condition that the member types. A complete one counts when the form is saved, and an unfinished one blocks the form.
import { useState } from 'react';
import type { Condition } from '../../kit/api.ts';
import { type Operator, toCondition } from './condition-text.ts';

interface Draft {
  pointer: string;
  operator: Operator;
  input: string;
}

const EMPTY: Draft = { pointer: '', operator: 'equals', input: '' };

const isPointer = (text: string): boolean => /^(\/([^~/]|~[01])+)+$/.test(text);
export const needsValue = ({ operator }: Draft): boolean => operator !== 'exists' && operator !== 'missing';

/** What an unfinished condition lacks, by its field. */
interface Refusals {
  pointer?: string;
  input?: string;
}

function refusalsOf(draft: Draft): Refusals {
  const [pointer, input] = [draft.pointer.trim(), needsValue(draft) ? draft.input.trim() : ''];
  if (pointer === '' && input === '') return {};
  if (pointer === '') return { pointer: 'Enter the field of the condition, or clear its value.' };
  if (!isPointer(pointer)) return { pointer: 'Enter a JSON Pointer, for example /data/priority.' };
  return needsValue(draft) && input === '' ? { input: 'Enter the value of the condition, or clear its field.' } : {};
}

export interface ConditionDraft {
  value: Draft;
  change: (part: Partial<Draft>) => void;
  reset: () => void;
  isEmpty: boolean;
  isComplete: boolean;
  refusals: Refusals;
  /** Returns the conditions with the typed one, if it is complete and new. */
  addTo: (conditions: Condition[]) => Condition[];
}

export function useConditionDraft(): ConditionDraft {
  const [value, setValue] = useState(EMPTY);
  const pointer = value.pointer.trim();
  const refusals = refusalsOf(value);
  const isComplete = pointer !== '' && Object.keys(refusals).length === 0;
  return {
    value,
    change: (part) => setValue({ ...value, ...part }),
    reset: () => setValue(EMPTY),
    isEmpty: pointer === '' && (value.input.trim() === '' || !needsValue(value)),
    isComplete,
    refusals,
    addTo(conditions) {
      if (!isComplete) return conditions;
      const typed = toCondition(pointer, value.operator, value.input.trim());
      const isKnown = conditions.some((one) => JSON.stringify(one) === JSON.stringify(typed));
      return isKnown ? conditions : [...conditions, typed];
    },
  };
}
