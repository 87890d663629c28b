// Checks the headers of every delivery in tests.
import type { IncomingHttpHeaders } from 'node:http';
import { schemaErrors } from '../../../kit/http/schema.ts';
import { DELIVERY_HEADERS } from '../../webhooks/delivery-headers.ts';

/** Returns the differences between a delivery's own headers and the contract's table. */
export function headerErrors(headers: IncomingHttpHeaders): string[] {
  const table = Object.entries(DELIVERY_HEADERS);
  const unknown = Object.keys(headers).filter(
    (name) => /^(webhook|slipway|trace|baggage)/.test(name) && !(name in DELIVERY_HEADERS),
  );
  const wrong = table.filter(([name, { schema, isRequired }]) =>
    headers[name] === undefined ? isRequired : schemaErrors(schema, headers[name], '').length > 0,
  );
  return [...unknown, ...wrong.map(([name]) => name)];
}
