// Search parameters of the notices page.
export interface NoticesSearch {
  /** Undefined: all notices. */
  unread?: true;
}

export function toNoticesSearch({ unread }: { unread?: unknown }): NoticesSearch {
  return unread === true ? { unread } : {};
}
