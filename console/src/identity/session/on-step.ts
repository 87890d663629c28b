// What an answered step of signing in hands on.
import type { SignInStep } from '../../kit/api.ts';

/** Undefined when there is nothing more to do. */
export type OnStep = (step: SignInStep | undefined) => Promise<void>;
