// A head as it travels, with the identifier of its organisation, and as the audit log knows it.
import { fromId } from '../../kit/ids.ts';
import type { OrganisationHead } from '../audit/index.ts';
import type { Head } from './lease.ts';

export const toHead = ({ organisationId, sequence, hash }: Head): OrganisationHead => ({
  organisationId: fromId('org', organisationId) ?? '',
  sequence,
  hash,
});
