// Returns a value that stays the same object until the content of its input changes.
import { useMemo } from 'react';

/** Returns the value of `make`, and calls `make` again only if `input` as JSON has changed. */
export function useSame<T>(input: unknown, make: () => T): T {
  const text = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the content of the input
  return useMemo(make, [text]);
}
