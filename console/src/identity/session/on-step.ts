// Callback after a step of the sign-in.
import type { SignInStep } from '../../kit/api.ts';

/** The step is undefined if the sign-in is complete. */
export type OnStep = (step: SignInStep | undefined) => Promise<void>;
