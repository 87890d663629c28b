// A signed-in person of the Console, and the person's organisations.

import { OrganisationId, RoleSchema } from '../../access/authority/index.ts';
import type { Reply, ReplySpec } from '../../kit/http/operation.ts';
import { dateTime, namedObject, nullable, oneOf, Type, text } from '../../kit/http/schema.ts';
import type { ConsoleServices } from './console-access.ts';
import type { SignInResult } from './identity.ts';
import { SecondFactorMethods } from './second-factor.ts';
import { SecondFactorRemoval } from './second-factor-removal.ts';

export const Membership = namedObject('Membership', 'An organisation that the person belongs to.', {
  id: OrganisationId,
  name: text("The organisation's name.", { maxLength: 100 }),
  role: RoleSchema,
});

const SuspendedMembership = namedObject(
  'SuspendedMembership',
  'An organisation in which the membership of the person is suspended.',
  {
    id: OrganisationId,
    name: text("The organisation's name.", { maxLength: 100 }),
    suspendedAt: dateTime('The time of the suspension.'),
    reason: oneOf(
      ['restore'],
      'The reason: the operator restored a backup, and a backup can revive members who were removed since.',
    ),
    owners: Type.Array(text('The e-mail address of an owner.', { maxLength: 320 }), {
      maxItems: 10,
      description: 'Owners who can reinstate the member: those who were members at the time of the suspension.',
    }),
  },
);

export const Session = namedObject('Session', 'The signed-in person and their organisations.', {
  person: namedObject('Person', 'The signed-in person.', {
    email: text('The e-mail address of the person.', { maxLength: 320 }),
    name: text('The name of the person.', { maxLength: 100 }),
    hasPassword: Type.Boolean({ description: 'True if the person can sign in with a password.' }),
    hasSecondFactor: Type.Boolean({ description: 'True if a sign-in also requires a second factor.' }),
    secondFactorMethods: SecondFactorMethods,
    secondFactorRemoval: nullable(SecondFactorRemoval),
    isLinkedToProvider: Type.Boolean({ description: 'True if the identity provider signs the person in.' }),
  }),
  organisations: Type.Array(Membership, {
    maxItems: 1000,
    description: 'The organisations of the person, oldest first.',
  }),
  suspendedIn: Type.Array(SuspendedMembership, {
    maxItems: 1000,
    description: 'The organisations in which the membership of the person is suspended.',
  }),
  isOperator: Type.Boolean({
    description: 'True if the person is an operator of the installation, who may call the operations of operators.',
  }),
});

/** The replies of a sign-in: complete, or one more step. */
export const SIGN_IN_REPLIES = {
  200: {
    description:
      'One step remains: the cookie of this response belongs to `completeSignIn`, and no session is open yet. With `account`, the provider was linked to the account of the session.',
    schema: namedObject('SignInStep', 'The step that remains before a session is open.', {
      next: oneOf(
        ['second_factor', 'account'],
        'A second factor is required, or the provider was linked to the account of the session.',
      ),
      methods: Type.Optional(SecondFactorMethods),
    }),
    examples: { aCode: { next: 'second_factor', methods: ['authenticator'] } },
    headers: ['Set-Cookie'],
  },
  204: { description: 'Signed in.', headers: ['Set-Cookie'] },
} as const satisfies Record<number, ReplySpec>;

export async function signInReply(services: ConsoleServices, signedIn: SignInResult): Promise<Reply> {
  const headers = { 'set-cookie': signedIn.cookies };
  if (signedIn.needsSecondFactor)
    return { status: 200, headers, body: { next: 'second_factor', methods: signedIn.methods } };
  await services.onSignIn();
  return { status: 204, headers };
}

export const exampleSession = {
  person: {
    email: 'imke@example.org',
    name: 'Imke',
    hasPassword: true,
    hasSecondFactor: false,
    secondFactorMethods: [],
    secondFactorRemoval: null,
    isLinkedToProvider: false,
  },
  organisations: [{ id: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6', name: 'Harbour Tools', role: 'owner' }],
  suspendedIn: [],
  isOperator: false,
};
