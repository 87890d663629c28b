// Ways beside each other that are wider than a phone: the one that is taken is in sight.
import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

export function useShownSection(): RefObject<HTMLElement | null> {
  const ways = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is taken with the path
  useEffect(() => {
    // With the frame that lays the page out anyway: asked at once, where it stands would cost a layout of its own.
    const frame = requestAnimationFrame(() => ways.current && showTaken(ways.current));
    return () => cancelAnimationFrame(frame);
  }, [path]);
  return ways;
}

function showTaken(ways: HTMLElement): void {
  const taken = ways.querySelector<HTMLElement>('[data-status=active]');
  if (!taken) return;
  const { left, width } = taken.getBoundingClientRect();
  const middle = ways.getBoundingClientRect();
  ways.scrollBy({ left: left + width / 2 - (middle.left + middle.width / 2) });
}
