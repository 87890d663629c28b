// Continues after the first step of a sign-in: asks for the second factor if required, and offers to set a password after a
// one-time link.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OnStep } from './on-step.ts';
import { SecondFactorStep } from './second-factor-step.tsx';
import { SetFirstPassword } from './set-first-password.tsx';
import type { Methods } from './use-proof.ts';
import { sessionQuery } from './use-session.ts';

interface SignInStepsProps {
  offersPassword?: boolean;
  onDone: () => void;
  children: (onStep: OnStep) => ReactNode;
}

export function SignInSteps({ offersPassword = false, onDone, children }: SignInStepsProps): ReactNode {
  const queries = useQueryClient();
  const [next, setNext] = useState<'factor' | 'password'>();
  const [methods, setMethods] = useState<Methods>([]);
  const goOn: OnStep = async (step) => {
    if (step?.next === 'second_factor') {
      setMethods(step.methods ?? []);
      return setNext('factor');
    }
    queries.clear(); // data of another person in this browser must not be shown
    const { person } = await queries.fetchQuery(sessionQuery);
    if (person.hasPassword || !offersPassword) onDone();
    else setNext('password');
  };
  if (next === 'factor')
    return <SecondFactorStep methods={methods} onStep={goOn} onRestart={() => setNext(undefined)} />;
  if (next === 'password') return <SetFirstPassword onDone={onDone} />;
  return children(goOn);
}
