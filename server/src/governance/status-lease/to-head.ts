// A head as it travels, with the identifier of its organisation, and as the audit log knows it.

import type { OrganisationHead } from '../../access/audit/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import type { Head } from './lease.ts';

export const toHead = ({ organisationId, sequence, hash }: Head): OrganisationHead => ({
  organisationId: fromId('org', organisationId) ?? '',
  sequence,
  hash,
});
