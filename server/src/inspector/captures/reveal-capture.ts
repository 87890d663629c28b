import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findRequestRow, requestParams } from '../requests/index.ts';
import { type KnownOperation, toRequestSnippets } from '../snippets/index.ts';
import { Capture, exampleCapture } from './capture.ts';
import { findCapture } from './find-capture.ts';

/**
 * Creates the operation. `operations` are the operations of /v1. It is a POST, because it writes to the audit log, and
 * its response must not be cached or repeated.
 */
export const revealCapture = (operations: readonly KnownOperation[]) =>
  operation({
    id: 'revealCapture',
    route: 'POST /organisations/{organisationId}/apps/{appId}/requests/{requestId}/capture/reveal',
    tag: 'Requests',
    summary: 'Reveal the headers and bodies of a request',
    description:
      'Returns the stored headers and bodies of a request, and records in the audit log who saw them. Credentials, cookies and values that the contract marks as sensitive are masked. If nothing is stored, `status` has the reason, and the audit log gets no entry.',
    access: allowAppManagement('requests.reveal'),
    params: requestParams,
    replies: ok('The capture, or the reason why there is none.', Capture, { aCapture: exampleCapture }),
    async run({ plane, tenant, audit }, { ids: { requestId }, params }) {
      const record = await findRequestRow(tenant, requestId);
      if (!record) throw problem('not_found');
      const { status, opened } = await findCapture(plane, tenant, record);
      const headers = { 'cache-control': 'no-store' };
      if (!opened) return { status: 200, body: { status, request: null, response: null, snippets: null }, headers };
      audit('capture.reveal', params.requestId);
      const body = status.requestBody === 'whole' ? (opened.request.body ?? undefined) : undefined;
      const snippets = toRequestSnippets(record, { operations, baseUrl: plane.urls.public, body });
      return { status: 200, body: { status, ...opened, snippets }, headers };
    },
  });
