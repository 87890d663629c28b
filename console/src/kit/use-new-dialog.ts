// The dialog of a page for a new object. An address with the hash `#new` opens it too, as the command palette does.
import { useDisclosure } from '@mantine/hooks';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Action, Role } from './api.ts';
import { useIsPermitted } from './roles.ts';

/** The hash of an address that opens the dialog. */
export const NEW = 'new';

interface NewDialog {
  isOpen: boolean;
  open: () => void;
  close: () => void;
}

/** Returns the state of the dialog. The hash opens it only for a role that permits the action. */
export function useNewDialog(role: Role | undefined, action: Action): NewDialog {
  const [isOpen, { open, close }] = useDisclosure(false);
  const isAsked = useLocation({ select: ({ hash }) => hash === NEW });
  const isPermitted = useIsPermitted(role, action);
  const navigate = useNavigate();
  useEffect(() => {
    if (!isAsked || isPermitted === undefined) return;
    if (isPermitted) open();
    // The same address opens the dialog again, and a reload does not.
    void navigate({ to: '.', search: true, replace: true, resetScroll: false });
  }, [isAsked, isPermitted, open, navigate]);
  return { isOpen, open, close };
}
