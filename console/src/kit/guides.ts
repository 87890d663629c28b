// The guides of the documentation that explain a page of the Console.

const APP = '/in/$organisationId/apps/$appId';

/** Guides by the address of a page: the path in the documentation, and the title. */
export const GUIDES: Readonly<Record<string, readonly [path: string, title: string]>> = {
  [`${APP}/keys`]: ['build/authentication', 'Authentication'],
  [`${APP}/installations`]: ['concepts/overview#installations', 'Installations'],
  [`${APP}/installations/access`]: ['concepts/overview#installations', 'Installations'],
  [`${APP}/requests`]: ['build/errors', 'Errors'],
  [`${APP}/events`]: ['webhooks/delivery-guarantees', 'Delivery guarantees'],
  [`${APP}/data`]: ['build/sandbox-data', 'Sandbox data'],
  [`${APP}/simulation`]: ['build/simulate-failures', 'Simulate failures'],
  [`${APP}/drills`]: ['webhooks/drill', 'Receiver drill'],
  [`${APP}/webhooks`]: ['webhooks/receiving', 'Receive and verify webhooks'],
  [`${APP}/webhooks/endpoints/$endpointId`]: ['webhooks/receiving', 'Receive and verify webhooks'],
  [`${APP}/webhooks/endpoints/$endpointId/signature`]: ['webhooks/troubleshooting', 'Webhook troubleshooting'],
  [`${APP}/webhooks/endpoints/$endpointId/drill`]: ['webhooks/drill', 'Receiver drill'],
  [`${APP}/webhooks/redeliveries`]: ['webhooks/redelivery', 'Redelivery'],
  [`${APP}/live-access`]: ['build/live-access', 'Live access'],
  '/in/$organisationId/notices': ['build/notices', 'Notices'],
};

/** Returns the address of a guide. The server of the Console serves the documentation too. */
export function guideAddress(path: string): string {
  const [page, part] = path.split('#');
  return `/docs/${page}/${part === undefined ? '' : `#${part}`}`;
}
