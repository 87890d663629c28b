import { allowOrganisationManagement, OrganisationId, ReceiptId } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleReceipt, Receipt, toReceipt } from './receipt.ts';
import { findReceiptRow } from './store.ts';

export const getRevocationReceipt = operation({
  id: 'getRevocationReceipt',
  route: 'GET /organisations/{organisationId}/revocation-receipts/{receiptId}',
  tag: 'Audit log',
  summary: 'Get a revocation receipt',
  description:
    'Returns a signed receipt. It can be verified without Slipway, with the public key at `keysUrl`. The signature follows the answer of the revocation, usually within some milliseconds: while `jws` is null, request the receipt again. If the process that handled the revocation has ended, a worker signs the receipt after five minutes.',
  access: allowOrganisationManagement('receipts.read'),
  params: strictObject({ organisationId: OrganisationId, receiptId: ReceiptId }),
  replies: ok('The receipt.', Receipt, { ofAKey: exampleReceipt }),
  async run({ plane, actor, tx }, { ids: { receiptId } }) {
    const row = await findReceiptRow(tx, actor.organisationId, receiptId);
    if (!row) throw problem('not_found');
    return { status: 200, body: toReceipt(row, plane.urls.public) };
  },
});
