// A button that a person's role may not use is shown disabled, and says which roles may. It stays reachable with the
// keyboard, so that the reason can be read.
import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Role } from './api.ts';
import { reasonAgainst } from './roles.ts';

interface GuardedButtonProps extends ButtonProps {
  role: Role | undefined;
  onClick: () => void;
  'aria-label'?: string;
}

export function GuardedButton({ role, onClick, ...props }: GuardedButtonProps): ReactNode {
  const reason = reasonAgainst(role);
  if (reason === undefined) return <Button {...props} onClick={onClick} />;
  return (
    <Tooltip label={reason}>
      <Button {...props} data-disabled aria-disabled="true" onClick={(event) => event.preventDefault()} />
    </Tooltip>
  );
}
