// A value that stays the same object as long as what it depends on has the same content.
import { useMemo } from 'react';

/** Makes the value again only if the content of `input`, as JSON, has changed. */
export function useSame<T>(input: unknown, make: () => T): T {
  const text = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the content of the input
  return useMemo(make, [text]);
}
