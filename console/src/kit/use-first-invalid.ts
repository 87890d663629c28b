// Focuses the first invalid field of a form that is longer than the screen, and scrolls to it.
import { type RefObject, useEffect, useRef } from 'react';

/** Returns the ref of the form. `found` changes with each failed validation. */
export function useFocusFirstInvalid(found: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per failed validation
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [found]);
  return form;
}
