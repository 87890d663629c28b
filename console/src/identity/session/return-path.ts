// Where to go after signing in: only a path of this Console, whatever the address says.

const KEPT = 'slipway-return';

export function safeReturnPath(wanted: string | undefined, origin: string): string {
  if (!wanted?.startsWith('/')) return '/';
  try {
    const url = new URL(wanted, origin);
    const isOurs = url.origin === origin && !url.pathname.startsWith('//') && !/^\/sign-in(\/|$)/.test(url.pathname);
    return isOurs ? url.pathname + url.search + url.hash : '/';
  } catch {
    return '/';
  }
}

/** Over the way to the identity provider and back, in this tab alone. */
export function keepReturnPath(path: string): void {
  sessionStorage.setItem(KEPT, path);
}

export function takeReturnPath(): string {
  const kept = sessionStorage.getItem(KEPT) ?? undefined;
  sessionStorage.removeItem(KEPT);
  return safeReturnPath(kept, location.origin);
}
