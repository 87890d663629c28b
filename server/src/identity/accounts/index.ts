// Accounts: sign-up with a mailed link by the operator's policy, and a new password after a forgotten one.
import { createAccount } from './create-account.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { requestSignUp } from './request-sign-up.ts';
import { resetPassword } from './reset-password.ts';

export const accountOperations = [requestSignUp, createAccount, requestPasswordReset, resetPassword];
export { SignUpPolicy } from './account.ts';
export { sendRequestedLinks, startLinks } from './send-links.job.ts';
export { maySignUp } from './sign-up-permission.ts';
export { findSignUpPolicy, updateSignUpPolicy } from './store.ts';
