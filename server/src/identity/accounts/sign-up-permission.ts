// Decides whether an address may have an account: by the policy, or because a member invited the address.
import type { Queryable } from '../../kit/db/db.ts';
import { hasOpenInvitation } from '../organisations/index.ts';
import { allowsSignUp } from './account.ts';
import { findSignUpPolicy } from './store.ts';

export async function maySignUp(db: Queryable, email: string): Promise<boolean> {
  return allowsSignUp(await findSignUpPolicy(db), email) || (await hasOpenInvitation(db, email));
}
