// Follows new requests under one filter. The tail pauses while the page is hidden and resumes from its position.
import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useReducer, useRef, useState } from 'react';
import { type AppScope, api, type RequestFilters } from '../../kit/api.ts';
import { INITIAL_TAIL_STATE, type TailAction, tailReducer } from './tail-state.ts';

/** Returns the tail. The filter is fixed by the first render: another filter renders another list. */
export function useTail(scope: AppScope, filters: RequestFilters, isOn: boolean) {
  const [state, dispatch] = useReducer(tailReducer, INITIAL_TAIL_STATE);
  const [attempt, setAttempt] = useState(0);
  const position = useRef<string>(undefined);
  const isVisible = useDocumentVisibility() === 'visible';
  const isRead = isOn && isVisible;

  // biome-ignore lint/correctness/useExhaustiveDependencies: app and filter never change; a new attempt restarts the tail
  useEffect(() => {
    if (!isRead) return;
    const stop = new AbortController();
    void follow(scope, filters, position, stop.signal, dispatch);
    return () => stop.abort();
  }, [isRead, attempt]);

  const retry = (): void => {
    position.current = undefined; // the server can have refused this position
    setAttempt((before) => before + 1);
  };
  return { ...state, dispatch, retry };
}

async function follow(
  scope: AppScope,
  filters: RequestFilters,
  position: { current: string | undefined },
  signal: AbortSignal,
  dispatch: (action: TailAction) => void,
): Promise<void> {
  const { since: _since, until: _until, requestId: _requestId, ...ofWhatComes } = filters;
  const after = position.current;
  const onInterrupted = (error: Error): void => dispatch({ type: 'interrupted', error });
  dispatch({ type: 'connecting' });
  try {
    const input = { ...scope, ...ofWhatComes, ...(after !== undefined && { after }) };
    for await (const part of api.tailRequests(input, { signal, onInterrupted })) {
      dispatch({ type: 'came', part, isBeginning: position.current === undefined });
      position.current = part.position;
    }
  } catch (error) {
    if (!signal.aborted && error instanceof Error) dispatch({ type: 'ended', error });
  }
}
