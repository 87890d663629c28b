// Finds the capture of a request, or the reason why there is none.
import {
  type CaptureStatus,
  missingCapture,
  type OpenedCapture,
  type Plane,
  type Tenant,
} from '../../access/authority/index.ts';
import type { RequestRow } from '../requests/index.ts';

interface FoundCapture {
  status: CaptureStatus;
  /** Undefined if nothing is stored. */
  opened: OpenedCapture | undefined;
}

export async function findCapture(
  { captures }: Pick<Plane, 'captures'>,
  tenant: Tenant,
  { request_id: requestId, at }: Pick<RequestRow, 'request_id' | 'at'>,
): Promise<FoundCapture> {
  if (!captures) return { status: missingCapture('off'), opened: undefined };
  const status = await captures.findStatus(tenant, { requestId, at });
  if (status.state === 'not_kept') return { status, opened: undefined };
  const opened = await captures.open(tenant, requestId);
  return opened ? { status, opened } : { status: missingCapture('lost'), opened };
}
