// Responses that are not text. The SDK decodes each body as UTF-8, which would change their bytes.

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

/** Runs a call whose successful response can be binary, and returns the bytes in that case. */
export async function keepBinary(
  fetch: typeof globalThis.fetch,
  call: (fetch: typeof globalThis.fetch) => Promise<unknown>,
): Promise<unknown> {
  let binary: BinaryBody | undefined;
  const answer = await call(async (input, init) => {
    const response = await fetch(input, init);
    const contentType = response.headers.get('content-type') ?? 'application/octet-stream';
    const { ok, status, statusText, headers } = response;
    if (!ok || status === 204 || isText(contentType)) return response;
    binary = new BinaryBody(contentType, new Uint8Array(await response.arrayBuffer()));
    return new Response(null, { status, statusText, headers });
  });
  return binary ?? answer;
}
