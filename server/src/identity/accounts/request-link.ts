// Requests for a mailed link without a session. Each request writes one row and receives the same answer, so that it
// reveals nothing about the address.
import { problem } from '../../kit/openapi/problems.ts';
import type { ConsoleServices } from '../sessions/index.ts';
import { canonicalEmail } from './account.ts';
import { insertLinkRequest, type LinkPurpose, MAX_LINK_REQUESTS_PER_NETWORK } from './store.ts';

export async function requestLink(
  { db }: ConsoleServices,
  request: { purpose: LinkPurpose; email: string; address: string },
): Promise<{ status: 202 }> {
  const count = await insertLinkRequest(db, { ...request, email: canonicalEmail(request.email) });
  if (count >= MAX_LINK_REQUESTS_PER_NETWORK) throw problem('rate_limited', { headers: { 'retry-after': '3600' } });
  return { status: 202 };
}
