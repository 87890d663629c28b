// Ways beside each other that are wider than a phone: the one that is taken is in sight.
import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

export function useShownSection(): RefObject<HTMLElement | null> {
  const ways = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is taken with the path
  useEffect(() => {
    const taken = ways.current?.querySelector<HTMLElement>('[data-status=active]');
    if (!ways.current || !taken) return;
    const { left, width } = taken.getBoundingClientRect();
    const middle = ways.current.getBoundingClientRect();
    ways.current.scrollBy({ left: left + width / 2 - (middle.left + middle.width / 2) });
  }, [path]);
  return ways;
}
