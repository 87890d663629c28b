// Converts a head from its wire form, with the organisation's identifier, to the form of the audit log.

import type { OrganisationChainHead } from '../../access/audit/index.ts';
import { toUuid } from '../../kit/crypto/ids.ts';
import type { Head } from './lease.ts';

export const toHead = ({ organisationId, sequence, hash }: Head): OrganisationChainHead => ({
  organisationId: toUuid('org', organisationId),
  sequence,
  hash,
});
