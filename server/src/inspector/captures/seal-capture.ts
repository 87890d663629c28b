// Seals the capture of a request under the key of its app and hour. An identical response body is sealed once per key.
import type { ApiCaller, BodyState } from '../../access/authority/index.ts';
import { uuidText } from '../../kit/crypto/ids.ts';
import {
  buildCapture,
  type CapturedExchange,
  maskResponseBody,
  type SealedContent,
  textOfResponse,
} from './build-capture.ts';
import { encodeCapture, encodeContent } from './capture-store.ts';
import { captureBinding, contentBinding, contentIdOf, type DataKey, sealText } from './data-key.ts';
import { type MaskedBody, NO_BODY, NOT_TEXT } from './mask-body.ts';

export interface WaitingCapture extends CapturedExchange {
  caller: ApiCaller;
  requestUuid: Buffer;
  /** True if other requests can have the same response. */
  isShareable: boolean;
}

/** A response body that is stored once for several requests. */
export interface StoredContent {
  contentId: Buffer;
  state: BodyState;
}

interface NewContent extends StoredContent {
  /** The response body as it was sent. */
  sent: string;
  row: Buffer;
}

interface SealedCapture {
  row: Buffer;
  /** Undefined if the content is part of the row, or is stored already. */
  content: NewContent | undefined;
}

/** Shorter contents are sealed with each capture: a row of their own would take more bytes. */
const MIN_SHARED_CHARACTERS = 256;

/** Seals a capture. `known` are the stored contents of the key, by the response body as it was sent. */
export function sealCapture(
  waiting: WaitingCapture,
  key: DataKey,
  known: { get(sent: string): StoredContent | undefined },
  sensitiveNames: ReadonlySet<string>,
): SealedCapture {
  const sent = textOfResponse(waiting);
  if (!waiting.isShareable || typeof sent !== 'string' || sent.length < MIN_SHARED_CHARACTERS) {
    const masked = maskSent(waiting, sent, sensitiveNames);
    return { row: sealRow(waiting, key, masked, { contentId: null, names: sensitiveNames }), content: undefined };
  }
  const stored = known.get(sent);
  const content = stored ? undefined : sealContent(waiting, key, sent, maskSent(waiting, sent, sensitiveNames));
  const { state, contentId } = (stored ?? content) as StoredContent; // one of both
  const shared = { state, body: null, maskedPointers: [] };
  return { row: sealRow(waiting, key, shared, { contentId, names: sensitiveNames }), content };
}

function maskSent(waiting: WaitingCapture, sent: string | null | undefined, names: ReadonlySet<string>): MaskedBody {
  if (sent === null) return NO_BODY;
  return sent === undefined ? NOT_TEXT : maskResponseBody(waiting, sent, names);
}

function sealContent({ caller }: WaitingCapture, key: DataKey, sent: string, masked: MaskedBody): NewContent {
  const { state, ...content } = masked;
  const text = JSON.stringify(content satisfies SealedContent);
  const contentId = contentIdOf(key, text);
  const ciphertext = sealText(key, text, contentBinding(contentId));
  const row = encodeContent({ appBytes: caller.appBytes, keyId: key.keyIdBytes, contentId, ciphertext });
  return { sent, state, contentId, row };
}

function sealRow(
  waiting: WaitingCapture,
  key: DataKey,
  response: MaskedBody,
  { contentId, names }: { contentId: Buffer | null; names: ReadonlySet<string> },
): Buffer {
  const { caller, requestUuid } = waiting;
  const { text, requestBody, responseBody } = buildCapture(waiting, response, { names, isShared: contentId !== null });
  const ciphertext = sealText(key, text, captureBinding(uuidText(requestUuid)));
  const keyId = key.keyIdBytes;
  return encodeCapture({
    appBytes: caller.appBytes,
    requestUuid,
    keyId,
    requestBody,
    responseBody,
    contentId,
    ciphertext,
  });
}
