// Responses that are not JSON. Only the content type of the response tells whether a terminal can show its bytes.
import type { ResponseInfo } from '@slipway/sdk';

/** A body whose content type is not text. */
export class BinaryBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  constructor(contentType: string, bytes: Uint8Array) {
    this.contentType = contentType;
    this.bytes = bytes;
  }
  /** Returns a description for JSON, which cannot contain the bytes. */
  toJSON(): object {
    return { contentType: this.contentType, bytes: this.bytes.length };
  }
}

const TEXT = /^text\/|[/+.-](?:json|ndjson|xml|yaml|javascript)$/i;

/** Returns true for a type of text in UTF-8. Bytes of another character set are not decoded. */
function isText(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  const isOtherCharset = parameters.some((one) => /^charset=(?!"?(?:utf-8|us-ascii)"?$)/i.test(one));
  return TEXT.test(type) && !isOtherCharset;
}

/** Returns a body of text as a string, and another body with its type. */
export function toBody(bytes: Uint8Array, { status, headers }: ResponseInfo): string | BinaryBody {
  const contentType = headers.get('content-type') ?? 'application/octet-stream';
  return status === 204 || isText(contentType) ? new TextDecoder().decode(bytes) : new BinaryBody(contentType, bytes);
}
