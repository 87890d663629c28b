// A form that is longer than the screen: what is wrong in it gets the focus, and comes into sight with it.
import { type RefObject, useEffect, useRef } from 'react';

/** `found` changes with each time that something was found. */
export function useFirstInvalid(found: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked for once a time that something was found
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [found]);
  return form;
}
