// The problems of people at the Console: sign-up, sign-in and decisions of operators.
import type { OurProblem } from './our-problem.ts';

export const PEOPLE_PROBLEMS = {
  email_not_verified: {
    status: 403,
    title: 'E-mail not verified',
    servedBy: 'console',
    meaning: 'Nobody has proved yet that this e-mail address is yours.',
    cause: 'The account was made without a link that was mailed to its address.',
    mend: 'Ask for a new password: whoever opens the link in that mail has proved the address.',
  },
  second_factor_failed: {
    status: 401,
    title: 'Second factor failed',
    servedBy: 'console',
    meaning: 'The code is wrong or was used before, or the sign-in that it belongs to is over.',
    cause:
      'A code of an authenticator is good for a minute and once, a recovery code once. After ten wrong codes the account waits a quarter of an hour.',
    mend: 'Wait for the next code. If it stays, check the clock of your device, or sign in again from the beginning.',
  },
  second_factor_required: {
    status: 403,
    title: 'Second factor required',
    servedBy: 'console',
    meaning: 'This needs a code of your second factor that was confirmed in this session within the last ten minutes.',
    cause:
      'A stolen session must not be enough to make or rotate a production key, or to make another person an owner or admin, who can do both.',
    mend: 'Confirm a code of your authenticator (`proveSecondFactor`), then try again. Without a second factor, set one up in your account first.',
  },
  fresh_sign_in_required: {
    status: 403,
    title: 'Fresh sign-in required',
    servedBy: 'console',
    meaning: 'This needs a sign-in of the last ten minutes.',
    cause:
      'You have no password that could prove that it is you, and whoever holds an older session, which may be stolen, shall not be able to give the account one, or a second factor.',
    mend: 'Sign out and in again, by a link or your identity provider, then try again.',
  },
  link_invalid: {
    status: 410,
    title: 'Link invalid',
    servedBy: 'console',
    meaning: 'The link was used, has expired, or a newer one has taken its place.',
    cause: 'A mailed link works once and for a limited time.',
    mend: 'Ask for a new link.',
  },
  provider_sign_in_failed: {
    status: 401,
    title: 'Provider sign-in failed',
    servedBy: 'console',
    meaning: 'The identity provider did not vouch for you, or not for an e-mail address that it has verified.',
    cause:
      'The sign-in was begun in another browser or more than ten minutes ago, the provider cannot be reached, or it knows the address as somebody else’s than the account is linked to.',
    mend: 'Begin again. If it stays, whoever operates this Slipway finds the reason in its log.',
  },
  provider_not_linked: {
    status: 403,
    title: 'Identity provider not linked',
    servedBy: 'console',
    meaning: 'An account has your address, and the identity provider is not linked to it.',
    cause:
      'An address can change hands at a provider, so it never signs anyone in. The account links the identity first.',
    mend: 'Sign in with your password, or ask for a new one. Then link the identity provider on your account page.',
  },
  provider_link_taken: {
    status: 409,
    title: 'Identity already linked',
    servedBy: 'console',
    meaning: 'This identity is linked to another account, or your account to another identity.',
    cause: 'One identity at the provider signs in one account, and an account has one identity there.',
    mend: 'Unlink the identity provider on the account page of the other account, or on yours, then try again.',
  },
  sign_up_closed: {
    status: 403,
    title: 'Sign-up closed',
    servedBy: 'console',
    meaning: 'There is no account with your e-mail address, and it may not sign up here.',
    cause: 'Whoever operates this Slipway decides who may sign up, and nobody has invited this address.',
    mend: 'Ask a member of your organisation for an invitation, or whoever operates this Slipway.',
  },
  operator_required: {
    status: 403,
    title: 'Operator required',
    servedBy: 'console',
    meaning: 'Only an operator of this Slipway may do this.',
    cause:
      'Operators see to the installation as a whole. A role in an organisation, the highest included, makes nobody one.',
    mend: 'Ask an operator. The first is the owner of the first run; SLIPWAY_OPERATOR_EMAILS names others.',
  },
  reviewer_not_independent: {
    status: 403,
    title: 'Reviewer not independent',
    servedBy: 'console',
    meaning: 'Who decides about live access is never one of those who ask for it.',
    cause:
      'You belong to the organisation, belonged to it when the request was submitted, or had a hand in the request.',
    mend: 'Ask another operator of this Slipway to decide.',
  },
  organisation_suspended: {
    status: 403,
    title: 'Organisation suspended',
    servedBy: 'console',
    meaning: 'The organisation is suspended: nothing of it can be read or changed.',
    cause: 'An operator of this Slipway suspended it.',
    mend: 'Ask whoever operates this Slipway; only they can resume it.',
  },
} satisfies Record<string, OurProblem>;
