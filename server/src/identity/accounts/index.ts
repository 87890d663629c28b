// Accounts: sign-up with a mailed link by the operator's policy, a new password after a forgotten one, and a change of the
// e-mail address.
import { confirmEmailChange } from './confirm-email-change.ts';
import { createAccount } from './create-account.ts';
import { requestEmailChange } from './request-email-change.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { requestSignUp } from './request-sign-up.ts';
import { resetPassword } from './reset-password.ts';
import { undoEmailChange } from './undo-email-change.ts';

export const accountOperations = [
  requestSignUp,
  createAccount,
  requestPasswordReset,
  resetPassword,
  requestEmailChange,
  confirmEmailChange,
  undoEmailChange,
];
export { SignUpPolicy } from './account.ts';
export { sendRequestedLinks, startLinks } from './send-links.job.ts';
export { maySignUp } from './sign-up-permission.ts';
export { findSignUpPolicy, updateSignUpPolicy } from './store.ts';
