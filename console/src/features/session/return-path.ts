// Where to go after signing in: only a path of this Console, whatever the address says.

export function safeReturnPath(wanted: string | undefined, origin: string): string {
  if (!wanted?.startsWith('/')) return '/';
  try {
    const url = new URL(wanted, origin);
    const isOurs = url.origin === origin && !url.pathname.startsWith('//') && url.pathname !== '/sign-in';
    return isOurs ? url.pathname + url.search + url.hash : '/';
  } catch {
    return '/';
  }
}
