// Ends the captures of the app, so that its requests show only what records store.
import type { Page } from 'playwright-core';

/** Ends the captures of the app at the page's address, as the signed-in person. */
export async function endCaptures(page: Page): Promise<void> {
  const { origin, pathname } = new URL(page.url());
  const [organisationId, appId] = [/org_\w+/.exec(pathname)?.[0], /app_\w+/.exec(pathname)?.[0]];
  const response = await page.request.patch(`${origin}/api/sandbox/organisations/${organisationId}/apps/${appId}`, {
    headers: { 'slipway-console': '1' },
    data: { capturesBodies: false },
  });
  if (!response.ok()) throw new Error(`The captures were not ended: ${response.status()} ${await response.text()}`);
}
