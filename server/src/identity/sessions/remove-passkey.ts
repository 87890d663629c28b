import { unitOfWork } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { lockPerson } from './access-epoch-store.ts';
import { auditPasskey } from './audit-passkey.ts';
import { allowPerson } from './console-access.ts';
import { composePasskeyMail } from './mails.ts';
import { passkeyParams } from './passkey.ts';
import { deletePasskey, listPasskeyRows, type PasskeyRow } from './passkey-store.ts';
import { exampleProofs, requireProof, SecondFactorProofInput } from './second-factor.ts';
import { readSecondFactor } from './second-factor-store.ts';

const lastMethod = () =>
  problem('conflict', { detail: 'This passkey is your only second factor. Disable the second factor instead.' });

export const removePasskey = operation({
  id: 'removePasskey',
  route: 'POST /api/passkeys/{passkeyId}/remove',
  tag: 'Sessions',
  summary: 'Remove a passkey',
  description:
    'Removes a passkey of the signed-in person. It requires a code of the authenticator, a recovery code or a passkey, which signs a challenge of `createPasskeyChallenge`. The only second factor is removed by `disableSecondFactor`. A person who has none of the proofs requests a removal (`requestSecondFactorRemoval`). The person receives a mail.',
  access: allowPerson(),
  params: passkeyParams,
  body: SecondFactorProofInput,
  examples: exampleProofs,
  replies: {
    204: {
      description: 'The passkey is removed. The cookie of this response continues the session.',
      headers: ['Set-Cookie'],
    },
  },
  problems: ['not_found', 'conflict', 'second_factor_failed', 'rate_limited'],
  async run({ services, person, visitor, workScope }, { ids, body }) {
    const proof = requireProof(body);
    const requireRemovable = async (tx: Queryable): Promise<PasskeyRow> => {
      const passkeys = await listPasskeyRows(tx, person.id);
      const removed = passkeys.find(({ passkey_id }) => passkey_id === ids.passkeyId);
      if (!removed) throw problem('not_found');
      const { methods } = await readSecondFactor(tx, person.id);
      if (passkeys.length === 1 && !methods.includes('authenticator')) throw lastMethod();
      return removed;
    };
    // Before the proof, so that a refused request does not spend a recovery code.
    await requireRemovable(services.db);
    const cookies = await services.identity.secondFactor.verify(visitor, person.id, proof);
    if (!cookies) throw problem('second_factor_failed');
    await unitOfWork(services.db, workScope, async (work) => {
      await lockPerson(work.tx, person.id);
      const removed = await requireRemovable(work.tx);
      await deletePasskey(work.tx, person.id, removed.passkey_id);
      await auditPasskey(work, person, 'passkey.remove', removed.passkey_id);
      await queueMail(work.tx, composePasskeyMail(person.email, services.consoleUrl, 'removed', removed.name));
    });
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
