// Renders only the visible part of a long list, because each tick of the clock renders all rows. The list scrolls with
// the window. A short list is rendered whole, so that the browser's search finds everything.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Longest list that is rendered whole. */
const WHOLE = 300;
/** Items to render beyond the screen, in each direction. */
const OVERSCAN = 12;

/** Props of an item's element. */
export interface ItemProps {
  ref?: (element: Element | null) => void;
  'data-index'?: number;
}

interface ListWindow<T> {
  /** Ref of the element that contains the items. */
  hold: (element: Element | null) => void;
  drawn: readonly { item: T; index: number; props: ItemProps }[];
  /** Heights of the omitted items before and after, in pixels; undefined if all are rendered. */
  gaps: { before: number; after: number } | undefined;
}

const NONE: ItemProps = {};

/** Returns the items to render. `estimate` is the height of an item in pixels until it is measured. */
export function useWindowed<T>(items: readonly T[], estimate: number): ListWindow<T> {
  const holder = useRef<Element>(null);
  const isLong = items.length > WHOLE;
  const top = useTop(holder, isLong);
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    enabled: isLong,
    estimateSize: () => estimate,
    overscan: OVERSCAN,
    scrollMargin: top,
    useFlushSync: false,
  });
  const hold = (element: Element | null): void => {
    holder.current = element;
  };
  if (!isLong) return { hold, drawn: items.map((item, index) => ({ item, index, props: NONE })), gaps: undefined };
  const near = virtualizer.getVirtualItems();
  const [first, last] = [near[0], near.at(-1)];
  return {
    hold,
    drawn: near.flatMap(({ index }) => {
      const item = items[index];
      return item ? [{ item, index, props: { ref: virtualizer.measureElement, 'data-index': index } }] : [];
    }),
    gaps: {
      before: (first?.start ?? top) - top,
      after: virtualizer.getTotalSize() - ((last?.end ?? top) - top),
    },
  };
}

/**
 * Returns the distance from the top of the page. Measured when the page's size changes, not on each render during
 * scrolling.
 */
function useTop(holder: RefObject<Element | null>, isWanted: boolean): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (!isWanted) return;
    const look = (): void => {
      if (holder.current) setTop(Math.round(holder.current.getBoundingClientRect().top + window.scrollY));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isWanted, holder]);
  return top;
}
