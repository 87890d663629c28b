// A listener: an endpoint address without a URL. A request to it waits for a terminal that fetches and forwards it.

/** Stands in place of a URL. */
const LISTENER = /^listener:[a-z0-9-]{1,100}$/;
const SCHEME = 'listener:';

export const isListener = (url: string): boolean => url.startsWith(SCHEME);

/** Returns the error of such an address; undefined if it is valid. */
export function refuseListener(url: string, environment: string): string | undefined {
  if (environment !== 'sandbox') return 'is an https address outside of the sandbox';
  return LISTENER.test(url) ? undefined : 'is listener: and a name of small letters, digits and hyphens';
}
