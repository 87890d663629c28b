// Search parameters of the notices page.
export interface NoticesSearch {
  /** Undefined: all notices. */
  unread?: true;
  /** Undefined: the list. */
  view?: 'settings';
}

export function toNoticesSearch({ unread, view }: { unread?: unknown; view?: unknown }): NoticesSearch {
  if (view === 'settings') return { view };
  return unread === true ? { unread } : {};
}
