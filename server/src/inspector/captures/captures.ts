// Reads captures: whether one is stored, and what it contains.
import {
  type CaptureGap,
  type CapturePort,
  type CaptureStatus,
  missingCapture,
  type OpenedCapture,
} from '../../access/authority/index.ts';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { SealedContent, SealedMessages } from './build-capture.ts';
import { captureBinding, contentBinding, openText, unwrapKey } from './data-key.ts';
import { HOUR_MS, hourOf } from './hour-keys.ts';
import { type CaptureRow, findCaptureRow, findStatusRow, type StatusRow } from './store.ts';

interface CaptureReading {
  masterKeys: MasterKeys;
  retentionHours: number;
}

/** Milliseconds within which the queue stores a capture. */
const PENDING_MS = 5_000;

/** Returns why a request that was answered at this time has no capture. */
function explainGap(
  row: Pick<StatusRow, 'captures_since' | 'has_gap' | 'now'>,
  answeredMs: number,
  retentionHours: number,
): CaptureGap {
  const nowMs = row.now.getTime();
  if (row.captures_since === null || answeredMs < row.captures_since.getTime()) return 'off';
  if (hourOf(answeredMs) + retentionHours * HOUR_MS <= nowMs) return 'expired';
  if (row.has_gap) return 'over_budget';
  return nowMs - answeredMs < PENDING_MS ? 'pending' : 'lost';
}

export function createCaptures({ masterKeys, retentionHours }: CaptureReading): CapturePort {
  return {
    async findStatus(tenant, { requestId, at }): Promise<CaptureStatus> {
      const row = await findStatusRow(tenant, requestId, at);
      if (!row) return missingCapture('off');
      const { request_body: requestBody, response_body: responseBody, expires_at } = row;
      if (requestBody !== null && responseBody !== null && expires_at !== null) {
        return { state: 'kept', reason: null, expiresAt: expires_at.toISOString(), requestBody, responseBody };
      }
      return missingCapture(explainGap(row, at.getTime(), retentionHours));
    },
    async open(tenant, requestId): Promise<OpenedCapture | undefined> {
      const row = await findCaptureRow(tenant, requestId);
      return row && openRow(row, requestId, masterKeys);
    },
  };
}

function openRow(row: CaptureRow, requestId: string, masterKeys: MasterKeys): OpenedCapture {
  const key = unwrapKey(row.key_id, row.sealed_key, masterKeys);
  // Both texts were written by `sealCapture`.
  const { request, response, content } = JSON.parse(
    openText(key, row.ciphertext, captureBinding(requestId)),
  ) as SealedMessages;
  const shared =
    row.content_id && row.content
      ? (JSON.parse(openText(key, row.content, contentBinding(row.content_id))) as SealedContent)
      : undefined;
  return { request, response: { ...response, ...(content ?? shared ?? { body: null, maskedPointers: [] }) } };
}
