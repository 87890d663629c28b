// The address to open after a sign-in. Only a path of this Console is accepted.

const KEPT = 'slipway-return';

export function safeReturnPath(wanted: string | undefined, origin: string): string {
  if (!wanted?.startsWith('/')) return '/';
  try {
    const url = new URL(wanted, origin);
    const isOwnOrigin =
      url.origin === origin && !url.pathname.startsWith('//') && !/^\/sign-in(\/|$)/.test(url.pathname);
    return isOwnOrigin ? url.pathname + url.search + url.hash : '/';
  } catch {
    return '/';
  }
}

/** Stores the path in this tab while the browser visits the identity provider. */
export function keepReturnPath(path: string): void {
  sessionStorage.setItem(KEPT, path);
}

export function takeReturnPath(): string {
  const stored = sessionStorage.getItem(KEPT) ?? undefined;
  sessionStorage.removeItem(KEPT);
  return safeReturnPath(stored, location.origin);
}
