// A dialog that takes input. A click outside does not close it. Escape and the close button ask before they discard
// input.
import { Button, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { DialogActions } from './dialog-actions.tsx';
import { isTopmostModal } from './open-modal.ts';

/** True if the focused input has an open list, which Escape closes. */
const isListOpen = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';

interface FormDialogProps extends Pick<ModalProps, 'size' | 'zIndex'> {
  isOpen?: boolean;
  title: string;
  /** Closes the dialog. A Cancel button of the form calls it too, and asks nothing. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * Draws the dialog of a form.
 *
 * @example
 * <FormDialog title="Invite a person" onClose={close}><form onSubmit={submit}>…</form></FormDialog>
 */
export function FormDialog({ isOpen = true, title, onClose, children, ...frame }: FormDialogProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  const hasInput = useRef(false);
  useEffect(() => {
    if (!isOpen) hasInput.current = false;
  }, [isOpen]);
  const keep = (): void => setAsking(false);
  const close = (): void => (hasInput.current ? setAsking(true) : onClose());
  const discard = (): void => {
    keep();
    onClose();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || !isOpen || isListOpen(event)) return;
    if (!isAsking && !isTopmostModal(content.current)) return;
    event.stopImmediatePropagation(); // Escape closes one layer: neither the dialog below nor a drawer
    if (isAsking) keep();
    else close();
  };
  useWindowEvent('keydown', onKey, { capture: true });
  // The input of a dialog that the form opened is not input of this form.
  const note = (event: SyntheticEvent): void => {
    event.stopPropagation();
    hasInput.current = true;
  };
  // An option of a list reports no change to the document.
  const noteOption = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest('[role="option"]')) note(event);
  };
  return (
    <>
      <Modal
        {...frame}
        opened={isOpen}
        onClose={close}
        title={title}
        closeOnClickOutside={false}
        closeOnEscape={false}
        onChange={note}
        onClick={noteOption}
      >
        <div ref={content}>{children}</div>
      </Modal>
      {isOpen && isAsking && (
        <Modal {...frame} size="md" opened onClose={keep} title="Discard what you entered?" closeOnEscape={false}>
          <Stack>
            <Text>Your entries in “{title}” are not saved.</Text>
            <DialogActions>
              <Button variant="default" data-autofocus onClick={keep}>
                Keep editing
              </Button>
              <Button color="red.8" onClick={discard}>
                Discard
              </Button>
            </DialogActions>
          </Stack>
        </Modal>
      )}
    </>
  );
}
