// Sign-in with the operator's identity provider (OpenID Connect).
import { beginProviderLink } from './begin-provider-link.ts';
import { beginProviderSignIn } from './begin-provider-sign-in.ts';
import { completeProviderSignIn } from './complete-provider-sign-in.ts';
import { listProviders } from './list-providers.ts';
import { removeProviderLink } from './remove-provider-link.ts';

export const providerOperations = [
  listProviders,
  beginProviderSignIn,
  completeProviderSignIn,
  beginProviderLink,
  removeProviderLink,
];
