// Scrolls the active link of a horizontal navigation into view on a narrow screen.
import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

export function useShownSection(): RefObject<HTMLElement | null> {
  const navigation = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active link depends on the path
  useEffect(() => {
    // Measured in the next frame, which computes the layout anyway. An immediate measurement would force an extra
    // layout.
    const frame = requestAnimationFrame(() => navigation.current && showTaken(navigation.current));
    return () => cancelAnimationFrame(frame);
  }, [path]);
  return navigation;
}

function showTaken(navigation: HTMLElement): void {
  const taken = navigation.querySelector<HTMLElement>('[data-status=active]');
  if (!taken) return;
  const { left, width } = taken.getBoundingClientRect();
  const middle = navigation.getBoundingClientRect();
  navigation.scrollBy({ left: left + width / 2 - (middle.left + middle.width / 2) });
}
