// The stored headers and bodies of requests, as far as code outside of the sandbox reads them. The sandbox's API supplies
// the port; other processes have none.
import type { Tenant } from './store.ts';

/** Why a capture is missing. */
export const CAPTURE_GAPS = ['off', 'pending', 'over_budget', 'expired', 'lost'] as const;
export type CaptureGap = (typeof CAPTURE_GAPS)[number];

/** What a capture stores of one body. */
export const BODY_STATES = ['none', 'whole', 'masked', 'cut', 'not_text'] as const;
export type BodyState = (typeof BODY_STATES)[number];

interface MissingCapture {
  state: 'not_kept';
  reason: CaptureGap;
  expiresAt: null;
  requestBody: null;
  responseBody: null;
}

export type CaptureStatus =
  | { state: 'kept'; reason: null; expiresAt: string; requestBody: BodyState; responseBody: BodyState }
  | MissingCapture;

export interface CapturedMessage {
  headers: Record<string, string>;
  /** The names of headers with a masked value. */
  maskedHeaders: string[];
  /** Null without a body, and for a body that is not stored. */
  body: string | null;
  /** JSON Pointers into the body, one for each masked value. */
  maskedPointers: string[];
}

export interface OpenedCapture {
  request: CapturedMessage;
  response: CapturedMessage;
}

export interface CapturePort {
  /** Returns whether the capture of a request is stored, without opening it. `at` is the time of the response. */
  findStatus(tenant: Tenant, request: { requestId: string; at: Date }): Promise<CaptureStatus>;
  /** Opens the capture of a request. Returns undefined if it is not stored any more. */
  open(tenant: Tenant, requestId: string): Promise<OpenedCapture | undefined>;
}

export const missingCapture = (reason: CaptureGap): MissingCapture => ({
  state: 'not_kept',
  reason,
  expiresAt: null,
  requestBody: null,
  responseBody: null,
});
