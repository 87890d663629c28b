import { unitOfWork } from '../../access/authority/index.ts';
import { isUniqueViolation } from '../../kit/db/db.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import {
  allowVisitor,
  EndedAccess,
  endAccess,
  exampleEndedAccess,
  lockOrganisationsOf,
  lockPerson,
  updateEmail,
} from '../sessions/index.ts';
import { exampleToken, LINK_TOKEN, NEW_PASSWORD } from './account.ts';
import { composeEmailLeftMail, composeEmailRestoredMail } from './mails.ts';
import { consumeUndoLinks, deleteLinksTo, findUndoLink } from './store.ts';

const EmailRestoration = namedObject('EmailRestoration', 'The link that restores an address, with a new password.', {
  token: LINK_TOKEN,
  password: NEW_PASSWORD,
});

export const undoEmailChange = operation({
  id: 'undoEmailChange',
  route: 'POST /api/email-changes/undo',
  tag: 'Accounts',
  summary: 'Restore the previous e-mail address',
  description:
    'Restores the address with the link that was mailed to it after a change, within 72 hours, and sets a new password, because a person who changed the address knew the previous one. It ends all other access as `resetPassword` does, and voids the links of later changes; links of earlier changes stay valid. It fails with `conflict` if another account has the address meanwhile. It opens no session. The audit log of each organisation of the person records both addresses.',
  access: allowVisitor(),
  body: EmailRestoration,
  examples: { link: { token: exampleToken, password: 'another long sentence' } },
  replies: ok('The address is restored. The response lists the other access that was ended.', EndedAccess, {
    aToken: exampleEndedAccess,
  }),
  problems: ['link_invalid', 'conflict', 'timeout'],
  async run({ services, visitor, workScope }, { body }) {
    const { db, identity, consoleUrl } = services;
    const link = await findUndoLink(db, body.token);
    if (!link) throw problem('link_invalid');
    const { person_id: id, email, current, name } = link;
    const restored = { id, email, name };
    const actor = { kind: 'person', id, name: email } as const;
    // The hash is slow on purpose: no transaction waits for it, and a caller without a link does not cause it.
    const hash = await identity.hashPassword(body.password);
    const endedAccess = await unitOfWork(db, workScope, async (work) => {
      const { tx, audit } = work;
      await deleteLinksTo(tx, [email, current]);
      const organisationIds = await lockOrganisationsOf(tx, id);
      if ((await lockPerson(tx, id)) !== current) throw problem('link_invalid');
      if (!(await consumeUndoLinks(tx, id, body.token))) throw problem('link_invalid');
      // Between two changes a person can have had this address again.
      if (email !== current) await updateEmail(tx, { id, email: current }, email);
      const ended = await endAccess(work, restored, 'email_change_undone', () =>
        identity.resetPassword(tx, restored, hash),
      );
      for (const organisationId of organisationIds)
        audit('person.undo_email_change', id, { email, before: current }, { organisationId, actor });
      if (email !== current) await queueMail(tx, composeEmailLeftMail(current, consoleUrl, email));
      await queueMail(tx, composeEmailRestoredMail(email, consoleUrl, ended));
      return ended;
    }).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw problem('conflict', { detail: 'Another account has this address now. Inform an operator.' });
    });
    await identity.recordKnownNetwork(restored, visitor);
    return { status: 200, body: endedAccess };
  },
});
