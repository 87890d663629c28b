// A button that is disabled if the person's role does not permit the action, with the permitted roles as explanation.
// It stays focusable, so that the explanation is readable.
import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Action, Role } from './api.ts';
import { hint } from './hints.tsx';
import { useRefusalReason } from './roles.ts';

interface GuardedButtonProps extends ButtonProps {
  role: Role | undefined;
  /** Action that the button performs. */
  action: Action;
  /** Not needed for a button that submits a form. */
  onClick?: () => void;
  type?: 'button' | 'submit';
  'aria-label'?: string;
}

export function GuardedButton({ role, action, onClick, type = 'button', ...props }: GuardedButtonProps): ReactNode {
  const reason = useRefusalReason(role, action);
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
