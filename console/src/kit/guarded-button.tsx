// A button that a person's role may not use is shown disabled, and says which roles may. It stays reachable with the
// keyboard, so that the reason can be read.
import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Action, Role } from './api.ts';
import { hint } from './hints.tsx';
import { useReasonAgainst } from './roles.ts';

interface GuardedButtonProps extends ButtonProps {
  role: Role | undefined;
  /** What it does. */
  action: Action;
  /** What submits a form needs none. */
  onClick?: () => void;
  type?: 'button' | 'submit';
  'aria-label'?: string;
}

export function GuardedButton({ role, action, onClick, type = 'button', ...props }: GuardedButtonProps): ReactNode {
  const reason = useReasonAgainst(role, action);
  if (reason === undefined) return <Button {...props} type={type} {...(onClick && { onClick })} />;
  return (
    <Button
      {...props}
      {...hint(reason)}
      data-disabled
      aria-disabled="true"
      onClick={(event) => event.preventDefault()}
    />
  );
}
