// Schemas of the facts that the Console and a plane exchange with each lease.

import { OrganisationId } from '../../access/authority/index.ts';
import { integer, namedObject, nullable, type Static, strictObject, Type, text } from '../../kit/http/schema.ts';

/** An entry of an audit log that the other side remembers. */
const Head = strictObject({
  organisationId: OrganisationId,
  sequence: integer('Number of the entry in the chain.', 1, Number.MAX_SAFE_INTEGER),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Hash of the entry.' }),
});
export type Head = Static<typeof Head>;

const epoch = (of: string) => text(`Changes with each restore of ${of}.`, { maxLength: 64 });

export const MAX_UNCONFIRMED = 500;

export const StatusLease = namedObject('StatusLease', 'The Console’s request to extend the lease.', {
  restoreEpoch: nullable(epoch('the environment, as the Console remembers it')),
  consoleEpoch: epoch('the Console'),
  head: nullable(Head),
  checkedHash: nullable(
    text('Hash of the head that the environment last returned and that the Console found in its own log.', {
      maxLength: 64,
    }),
  ),
  remembered: nullable(Head),
  unconfirmed: Type.Array(
    strictObject({
      organisationId: OrganisationId,
      forSeconds: integer('Number of seconds for which the status is unconfirmed.', 0, Number.MAX_SAFE_INTEGER),
    }),
    {
      maxItems: MAX_UNCONFIRMED,
      description: 'Organisations whose latest status the environment has not confirmed.',
    },
  ),
});
export type StatusLease = Static<typeof StatusLease>;

export const ExtendedLease = namedObject('ExtendedLease', 'The response to an extension of the lease.', {
  isExtended: Type.Boolean({
    description:
      'True if the lease is extended. A lease is not extended after a restore that the Console has not noticed yet.',
  }),
  restoreEpoch: epoch('the environment'),
  head: nullable(Head),
  remembered: nullable(Head),
});
export type ExtendedLease = Static<typeof ExtendedLease>;

export const exampleLease: StatusLease = {
  restoreEpoch: null,
  consoleEpoch: 'first',
  head: null,
  checkedHash: null,
  remembered: null,
  unconfirmed: [],
};
export const exampleExtended: ExtendedLease = {
  isExtended: false,
  restoreEpoch: '5f0c7a52-1f2e-4d0e-9a53-2f6d0a1b7c11',
  head: null,
  remembered: null,
};
