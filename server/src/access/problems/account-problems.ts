// The problems of people at the Console: sign-up, sign-in and decisions of operators.
import type { TableProblem } from './product-problem.ts';

export const ACCOUNT_PROBLEMS = {
  email_not_verified: {
    status: 403,
    title: 'E-mail not verified',
    meaning: 'This e-mail address is not verified.',
    cause: 'The account was created without a link that was mailed to its address.',
    fix: 'Ask for a new password. The link in that mail verifies the address.',
  },
  second_factor_failed: {
    status: 401,
    title: 'Second factor failed',
    meaning: 'The code or passkey is wrong or was used before, or the sign-in that it belongs to has ended.',
    cause:
      'A code of an authenticator works once and for a minute, a recovery code works once, and a passkey signs a challenge once within five minutes. After ten wrong attempts the second factor is locked for 15 minutes.',
    fix: 'Wait for the next code, or request a new challenge for the passkey. If codes continue to fail, check the clock of your device, or sign in again from the beginning.',
  },
  second_factor_required: {
    status: 403,
    title: 'Second factor required',
    meaning:
      'This requires a code or passkey of your second factor that was confirmed in this session within the last ten minutes.',
    cause:
      'A stolen session must not be sufficient to create or rotate a production key, to make another person an owner or admin, who can do both, or to add a passkey or an authenticator.',
    fix: 'Confirm a code of your authenticator or a passkey (`verifySecondFactor`), then try again. If you have no second factor, set one up in your account first.',
  },
  fresh_sign_in_required: {
    status: 403,
    title: 'Recent sign-in required',
    meaning: 'This requires a sign-in within the last ten minutes.',
    cause:
      'Your account has no password that could confirm your identity. An older session may be stolen, and must not be sufficient to add a password or a second factor.',
    fix: 'Sign out, sign in again by a link or your identity provider, then try again.',
  },
  link_invalid: {
    status: 410,
    title: 'Link invalid',
    meaning: 'The link was used, has expired, or was replaced by a newer link.',
    cause: 'A mailed link works once and for a limited time.',
    fix: 'Ask for a new link.',
  },
  provider_sign_in_failed: {
    status: 401,
    title: 'Provider sign-in failed',
    meaning: 'The identity provider did not confirm your identity, or has not verified your e-mail address.',
    cause:
      'The sign-in was begun in another browser or more than ten minutes ago, the provider is unreachable, or its answer was rejected.',
    fix: 'Begin the sign-in again. If it continues to fail, ask the operator of this installation. The log has the reason.',
  },
  provider_not_linked: {
    status: 403,
    title: 'Identity provider not linked',
    meaning: 'An account has your address, but the identity provider is not linked to it.',
    cause:
      'An address can change hands at a provider, so it never signs a person in. The account must link the identity first.',
    fix: 'Sign in with your password, or ask for a new one. Then link the identity provider on your account page.',
  },
  provider_link_taken: {
    status: 409,
    title: 'Identity already linked',
    meaning: 'This identity is linked to another account, or your account to another identity.',
    cause: 'One identity at the provider signs in one account, and an account has one identity there.',
    fix: 'Unlink the identity provider on the account page of the other account, or on yours, then try again.',
  },
  sign_up_closed: {
    status: 403,
    title: 'Sign-up closed',
    meaning: 'No account has your e-mail address, and this address may not sign up here.',
    cause: 'The operator of this installation decides who may sign up, and no member has invited this address.',
    fix: 'Ask a member of your organisation for an invitation, or ask the operator of this installation.',
  },
  operator_required: {
    status: 403,
    title: 'Operator required',
    meaning: 'Only an operator of this installation may do this.',
    cause:
      'Operators manage the installation as a whole. No role in an organisation, not even owner, makes a member an operator.',
    fix: 'Ask an operator. The first is the owner of the first run; SLIPWAY_OPERATOR_EMAILS names others.',
  },
  reviewer_not_independent: {
    status: 403,
    title: 'Reviewer not independent',
    meaning: 'A reviewer of live access must be independent of the organisation that requests it.',
    cause:
      'You are a member of the organisation, were a member when the request was submitted, or took part in the request.',
    fix: 'Ask another operator of this installation to decide.',
  },
  organisation_suspended: {
    status: 403,
    title: 'Organisation suspended',
    meaning: 'The organisation is suspended: its data can be neither read nor changed.',
    cause: 'An operator of this installation suspended it.',
    fix: 'Ask an operator of this installation. Only operators can resume the organisation.',
  },
} satisfies Record<string, TableProblem>;
