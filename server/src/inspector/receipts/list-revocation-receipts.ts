import { AppId, allowOrganisationManagement, organisationParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { exampleReceiptSummary, ReceiptSummary, toReceiptSummary } from './receipt.ts';
import { listReceiptRows } from './store.ts';

export const listRevocationReceipts = operation({
  id: 'listRevocationReceipts',
  route: 'GET /organisations/{organisationId}/revocation-receipts',
  tag: 'Audit log',
  summary: 'List revocation receipts',
  description:
    'Lists the receipts of revoked keys, installations and scopes, newest first, including those of erased apps. Receipts are kept as long as the audit log. `getRevocationReceipt` returns the signed receipt.',
  access: allowOrganisationManagement('receipts.read'),
  params: organisationParams,
  query: strictObject({
    ...listQuery,
    appId: Type.Optional({ ...AppId, description: 'Only receipts of this app.' }),
  }),
  replies: listReplies('RevocationReceiptList', ReceiptSummary, 'A page of receipts.', exampleReceiptSummary),
  run: ({ actor, tx, paged }, { ids: { appId } }) =>
    paged({
      prefix: 'rct',
      load: (after, limit) => listReceiptRows(tx, actor.organisationId, appId, after, limit),
      toItem: toReceiptSummary,
      idOf: (row) => row.receipt_id,
    }),
});
