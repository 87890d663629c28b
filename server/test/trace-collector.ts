// A collector of traces for tests, over HTTP by OTLP. It parses JSON and keeps other content as it was received.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the root span. */
  parentSpanId: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, string | number>;
  isFailed: boolean;
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Each export as it was received. */
  exports: { path: string; contentType: string; body: Buffer }[];
  /** Undefined responds with 200. */
  answer: ((response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}
interface Batch {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (CollectedSpan & { attributes: Attribute[]; status: { code: number } })[] }[];
  }[];
}

const valuesOf = (attributes: readonly Attribute[]): CollectedSpan['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));

function spansOf({ resourceSpans }: Batch): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = '', name, kind, attributes, status }) => ({
        ...{ service, traceId, spanId, parentSpanId, name, kind },
        attributes: valuesOf(attributes),
        isFailed: status.code === 2,
      })),
    );
  });
}

export async function startCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const contentType = String(request.headers['content-type']);
    collector.exports.push({ path: request.url ?? '', contentType, body });
    if (collector.answer) return collector.answer(response);
    if (contentType === 'application/json') collector.spans.push(...spansOf(JSON.parse(body.toString())));
    response.writeHead(200, { 'content-type': contentType }).end(contentType === 'application/json' ? '{}' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP address
    spans: [],
    exports: [],
    answer: undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}
