// The storage keys of the saved views in this browser. A sign-out removes the views, because another person can sign in
// next.

const PREFIX = 'slipway-request-views ';

export const savedViewsKey = (appId: string): string => `${PREFIX}${appId}`;

export function removeSavedViews(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
