// Which notices are shown, as it stands in the address.
export interface NoticesSearch {
  /** Absent: all of them. */
  unread?: true;
}

export function toNoticesSearch({ unread }: { unread?: unknown }): NoticesSearch {
  return unread === true ? { unread } : {};
}
