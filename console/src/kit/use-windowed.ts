// Of a long list only what is near the screen: thousands of rows would be drawn anew with every tick of the clock. The list scrolls
// with the window. Short ones are drawn whole, so that the browser's own search finds everything in them.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Up to so many are drawn. */
const WHOLE = 300;
/** Beyond the screen, in each direction. */
const OVERSCAN = 12;

/** What the element of an item is given. */
export interface ItemProps {
  ref?: (element: Element | null) => void;
  'data-index'?: number;
}

export interface Windowed<T> {
  /** For the element that holds the items. */
  hold: (element: Element | null) => void;
  drawn: readonly { item: T; index: number; props: ItemProps }[];
  /** How high what is not drawn would be, before and after; undefined when all is. */
  gaps: { before: number; after: number } | undefined;
}

const NONE: ItemProps = {};

/** `estimate`: about how high an item is, until it is measured. */
export function useWindowed<T>(items: readonly T[], estimate: number): Windowed<T> {
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

/** How far from the beginning of the page it is: looked at when the page grows, and not with each drawing, which a scroll makes many of. */
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
