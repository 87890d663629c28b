// An endpoint's address that is none: what is sent there waits for a terminal that asks for it and forwards it.

/** In place of a URL. */
const LISTENER = /^listener:[a-z0-9-]{1,100}$/;
const SCHEME = 'listener:';

export const isListener = (url: string): boolean => url.startsWith(SCHEME);

/** What is wrong with such an address, if anything is. */
export function refuseListener(url: string, environment: string): string | undefined {
  if (environment !== 'sandbox') return 'is an https address outside of the sandbox';
  return LISTENER.test(url) ? undefined : 'is listener: and a name of small letters, digits and hyphens';
}
