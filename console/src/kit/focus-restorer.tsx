// Returns the focus when the focused element disappears, such as a closed dialog or a deleted row. The last focused
// element that still exists gets it. Otherwise the browser would continue at the top of the page.
import { type ReactNode, useEffect } from 'react';
import { CONTENT_ID } from './panel.tsx';

const REMEMBERED = 100;

export function FocusRestorer(): ReactNode {
  useEffect(() => {
    let trail: HTMLElement[] = [];
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return;
      trail = [...trail.filter((one) => one !== target && one.isConnected), target].slice(-REMEMBERED);
    };
    const onChange = (): void => {
      // A click elsewhere moved the focus on purpose.
      if (document.activeElement !== document.body || trail.at(-1)?.isConnected !== false) return;
      trail = trail.filter((one) => one.isConnected);
      findFocusTarget(trail)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(onChange);
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
  return null;
}

/** Returns the element to focus: within an open dialog, or within the page. */
function findFocusTarget(trail: readonly HTMLElement[]): HTMLElement | null {
  const over = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1);
  const before = trail.findLast((one) => one.checkVisibility() && (over?.contains(one) ?? true));
  return before ?? over?.querySelector('button') ?? document.getElementById(CONTENT_ID);
}
