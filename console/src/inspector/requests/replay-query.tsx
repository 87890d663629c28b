// Input fields for the masked query parameters of a replay. A masked parameter is replaced or omitted.
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RequestDetail } from '../../kit/api.ts';

interface ReplayQuery {
  text: string;
  isMasked: boolean;
  /** Parameters of the record that are masked and still in the text. */
  unfilled: readonly string[];
  setText: (text: string) => void;
}

export function useReplayQuery({ query, maskedParameters }: RequestDetail): ReplayQuery {
  const [text, setText] = useState(query ?? '');
  const unfilled = text.split('&').filter((one) => maskedParameters.includes(one));
  return { text, isMasked: maskedParameters.length > 0, unfilled, setText };
}

export function QueryField({ query, wasTried }: { query: ReplayQuery; wasTried: boolean }): ReactNode {
  const { text, isMasked, unfilled, setText } = query;
  if (!isMasked) return null;
  return (
    <TextInput
      label="Query"
      description={
        unfilled.length > 0
          ? `The record does not store ${unfilled.join(' and ')}. Enter the original value, percent-encoded, or remove the parameter.`
          : 'Every masked parameter is replaced or removed.'
      }
      error={wasTried && unfilled.length > 0 ? `Replace ${unfilled[0]} or remove it.` : undefined}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
