// A revoked key, with the endpoints that continue to deliver through another key.

import { KeyId, ReceiptId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { describedObject, namedObject, type Static, Type, text } from '../../kit/http/schema.ts';
import { type ContinuingEndpointRow, EndpointId } from '../../webhooks/webhooks/index.ts';
import { Key } from './key.ts';

const ContinuingEndpoint = describedObject('An endpoint that continues to deliver.', {
  endpointId: EndpointId,
  url: text('The URL of the endpoint.', { maxLength: 2048 }),
  keyId: { ...KeyId, description: 'The key through which it delivers now.' },
});
type ContinuingEndpoint = Static<typeof ContinuingEndpoint>;

export const RevokedKey = namedObject('RevokedKey', 'A revoked key.', {
  ...Key.properties,
  continuingEndpoints: Type.Array(ContinuingEndpoint, {
    maxItems: 1_000_000,
    description: 'The enabled endpoints of the key that continue to deliver through their next key.',
  }),
  receiptId: ReceiptId,
});

export const toContinuingEndpoint = (row: ContinuingEndpointRow): ContinuingEndpoint => ({
  endpointId: toId('whe', row.endpoint_id),
  url: row.url,
  keyId: toId('key', row.key_id),
});

export const exampleContinuingEndpoint: ContinuingEndpoint = {
  endpointId: 'whe_01j9z3v8k6e5t8m2n4p6q8r0s8',
  url: 'https://bridge.example.org/hooks/slipway',
  keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0t1',
};
