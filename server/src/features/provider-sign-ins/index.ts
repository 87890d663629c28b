// Signing in with the operator's identity provider (OpenID Connect).
import { beginProviderSignIn } from './begin-provider-sign-in.ts';
import { completeProviderSignIn } from './complete-provider-sign-in.ts';
import { listProviders } from './list-providers.ts';

export const providerOperations = [listProviders, beginProviderSignIn, completeProviderSignIn];
