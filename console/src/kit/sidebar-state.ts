// Stores in this browser whether the navigation of an app is collapsed. An attribute of the document holds the state,
// so that the prerendered page applies it before the code of the page has loaded.
export const SIDEBAR_KEY = 'slipway-sidebar';
export const SIDEBAR_ATTRIBUTE = 'data-sidebar';
export const COLLAPSED = 'collapsed';

/** Returns false while a page is prerendered. */
export const isSidebarCollapsed = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.getAttribute(SIDEBAR_ATTRIBUTE) === COLLAPSED;

/** Sets the attribute, and stores the state for the next pages. */
export function setSidebarCollapsed(isCollapsed: boolean): void {
  if (isCollapsed) document.documentElement.setAttribute(SIDEBAR_ATTRIBUTE, COLLAPSED);
  else document.documentElement.removeAttribute(SIDEBAR_ATTRIBUTE);
  localStorage.setItem(SIDEBAR_KEY, isCollapsed ? COLLAPSED : '');
}
