import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newUuid } from '../../kit/crypto/ids.ts';
import { canonicalJson } from '../../kit/text/json.ts';
import { exampleEvidence } from '../evidence/index.ts';
import { freezeSubmission, type LiveAccessRequestRow } from './live-access.ts';
import { exampleContents, exampleDetail, toDetail } from './live-access-views.ts';

/** Returns a submitted request, whose document has the evidence under the field names of that time. */
function submittedRow(evidence: object): LiveAccessRequestRow {
  const { document } = freezeSubmission({
    ...exampleContents,
    requestId: exampleDetail.id,
    organisationId: exampleDetail.organisationId,
    submittedAt: '2026-11-02T10:20:00.000Z',
    submittedBy: 'imke@example.org',
    evidence: evidence as typeof exampleEvidence, // earlier code wrote other field names
  });
  return {
    ...exampleContents,
    request_id: newUuid(),
    organisation_id: newUuid(),
    app_id: newUuid(),
    app_name: 'Ticket bridge',
    state: 'submitted',
    version: 4,
    hands: [],
    document,
    document_hash: createHash('sha256').update(document).digest('hex'),
    submitted_at: new Date('2026-11-02T10:20:00.000Z'),
    submitted_by: 'imke@example.org',
    decided_at: null,
    decided_by: null,
    decision_read_at: null,
    decision_read_by: null,
    approved_scopes: null,
    reason: null,
    created_by: 'imke@example.org',
    created_at: new Date('2026-11-02T10:15:30.000Z'),
  };
}

test('a document that was frozen with the field `mend` keeps its text and hash, and its evidence has the field `fix`', () => {
  const earlier = JSON.parse(canonicalJson(exampleEvidence).replaceAll('"fix":', '"mend":')) as object; // an object's text
  const row = submittedRow(earlier);
  const { submission } = toDetail(row, undefined, []);
  expect(submission?.evidence).toStrictEqual(exampleEvidence);
  expect([submission?.document, submission?.sha256]).toEqual([row.document, row.document_hash]);
  expect(row.document).toContain('"mend":"Make a successful call');
});
