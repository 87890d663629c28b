import { unitOfWork } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { displayName, namedObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { lockPerson } from './access-epoch-store.ts';
import { auditPasskey } from './audit-passkey.ts';
import { allowPerson } from './console-access.ts';
import { requireLiveSession } from './fresh-factor.ts';
import { tooManyPasskeys } from './identity-passkeys.ts';
import { composeNewFactorMail, composePasskeyMail } from './mails.ts';
import { examplePasskey, MAX_PASSKEYS, Passkey, PasskeyAttestation, toPasskey } from './passkey.ts';
import { insertPasskey, listPasskeyRows } from './passkey-store.ts';
import { startProductionKeyWait } from './second-factor-removal-store.ts';
import { readSecondFactor, turnOnSecondFactor } from './second-factor-store.ts';

const PasskeyInput = namedObject('PasskeyInput', 'A passkey to register.', {
  name: displayName('The name by which the person recognises the passkey.'),
  credential: PasskeyAttestation,
});

export const createPasskey = operation({
  id: 'createPasskey',
  route: 'POST /api/passkeys',
  tag: 'Sessions',
  summary: 'Register a passkey',
  description:
    'Registers a passkey that signed the challenge of `beginPasskeyRegistration`. The first passkey switches the second factor on, unless an authenticator did: each sign-in then requires a second factor, and the other sessions of the person end. The person receives a mail. The audit log of each organisation of the person records the change.',
  access: allowPerson(),
  body: PasskeyInput,
  examples: {
    aKey: {
      name: 'Security key',
      credential: {
        id: 'dGhlIGV4YW1wbGU',
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
        attestationObject: 'o2NmbXRkbm9uZQ',
        transports: ['usb'],
      },
    },
  },
  replies: created(
    'The passkey is registered. If this response has a cookie, the cookie continues the session.',
    Passkey,
    { aPasskey: examplePasskey },
    { headers: ['Set-Cookie'] },
  ),
  problems: ['conflict', 'quota_exceeded', 'second_factor_failed'],
  async run({ services, person, visitor, workScope }, { body }) {
    const credential = await services.identity.passkeys.verifyRegistration(visitor, person.id, body.credential);
    if (!credential) throw problem('second_factor_failed');
    const { row, isFirst } = await unitOfWork(services.db, workScope, async (work) => {
      const { tx } = work;
      await lockPerson(tx, person.id);
      await requireLiveSession({ services, visitor, tx });
      const { isBegun, isOn } = await readSecondFactor(tx, person.id);
      if (!isBegun) throw problem('conflict', { detail: 'The second factor was removed meanwhile. Set it up again.' });
      if ((await listPasskeyRows(tx, person.id)).length >= MAX_PASSKEYS) throw tooManyPasskeys();
      const passkeyId = newUuid();
      const inserted = await insertPasskey(tx, { ...credential, passkeyId, personId: person.id, name: body.name });
      if (!inserted) throw problem('conflict', { detail: 'This passkey is registered already.' });
      await auditPasskey(work, person, 'passkey.create', passkeyId);
      if (isOn) await queueMail(tx, composePasskeyMail(person.email, services.consoleUrl, 'registered', body.name));
      else {
        await turnOnSecondFactor(tx, person.id);
        await services.identity.endOtherSessions(tx, person, visitor);
        const opensAt = await startProductionKeyWait(tx, person.id);
        await queueMail(tx, composeNewFactorMail(person.email, services.consoleUrl, opensAt));
      }
      return { row: inserted, isFirst: !isOn };
    });
    const cookies = isFirst ? await services.identity.secondFactor.replaceSession(visitor, person.id) : [];
    return { status: 201, headers: { 'set-cookie': cookies }, body: toPasskey(row) };
  },
});
