// Remembers in this browser the organisation and the app that were visited last, for the address `/`. The page of `/`
// checks the membership, because another person can sign in next.
import { ENVIRONMENT, type EnvironmentName } from './environment-path.ts';

const KEY = 'slipway-last-visit';

interface LastVisit {
  environment: EnvironmentName;
  organisationId: string;
  /** Undefined: the person visited no app of the organisation. */
  appId: string | undefined;
}

export function readLastVisit(): LastVisit | undefined {
  const [environment, organisationId, appId] = (localStorage.getItem(KEY) ?? '').split(' ');
  if ((environment !== 'sandbox' && environment !== 'production') || !organisationId) return undefined;
  return { environment, organisationId, appId };
}

/** Remembers the organisation. Its app that was visited last stays. */
export function rememberOrganisation(organisationId: string): void {
  if (readLastVisit()?.organisationId !== organisationId) localStorage.setItem(KEY, `${ENVIRONMENT} ${organisationId}`);
}

export function rememberApp(organisationId: string, appId: string): void {
  localStorage.setItem(KEY, `${ENVIRONMENT} ${organisationId} ${appId}`);
}

/** Forgets an app that was not found. */
export function forgetApp(organisationId: string, appId: string): void {
  if (readLastVisit()?.appId === appId) localStorage.setItem(KEY, `${ENVIRONMENT} ${organisationId}`);
}
