// The Host header of a request: HTTP/1.1 requires exactly one (RFC 9112, section 3.2).

/** The part of Node's IncomingMessage that is read here. */
interface RequestHead {
  rawHeaders: readonly string[];
  httpVersionMinor: number;
}

/**
 * Returns why the Host header is refused, or undefined. Node keeps the first of several and drops the rest. A proxy
 * that reads another one would route and filter by a different host than this process.
 */
export function checkHost({ rawHeaders, httpVersionMinor }: RequestHead): string | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return 'The header Host must be sent once.';
  // HTTP/1.0 has no Host header.
  return hosts === 0 && httpVersionMinor > 0 ? 'The header Host is missing.' : undefined;
}
