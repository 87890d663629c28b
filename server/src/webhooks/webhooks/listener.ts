// A listener: an endpoint address without a URL. A request to it waits for a terminal that fetches and forwards it.

/** Stands in place of a URL. */
const LISTENER = /^listener:[a-z0-9-]{1,100}$/;
const SCHEME = 'listener:';

export const isListener = (url: string): boolean => url.startsWith(SCHEME);

/** Returns the error of such an address; undefined if it is valid. */
export function validateListener(url: string, environment: string): string | undefined {
  if (environment !== 'sandbox') return 'must be an https URL: listeners exist only in the sandbox';
  return LISTENER.test(url)
    ? undefined
    : 'must be listener: and a name that consists of lower-case letters, digits and hyphens';
}
