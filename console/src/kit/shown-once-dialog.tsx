// Shows a secret once. The dialog closes only after the user confirms that the secret is stored.
import { Alert, Button, Checkbox, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import notes from './notes.module.css';

interface ShownOnceDialogProps {
  title: string;
  secret: string;
  /** Name of the secret, as in "Copy the key". */
  noun: string;
  /** Where to store the secret. */
  advice?: string;
  /** Consequence of losing the secret, if it is not final. */
  warning?: string;
  /** Verb on the button that closes the dialog. */
  action?: string;
  children?: ReactNode;
  onClose: () => void;
}

export const ADVICE = 'Keep it on a server, never in browser code, logs or a repository.';

export function ShownOnceDialog(props: ShownOnceDialogProps): ReactNode {
  const { title, secret, noun, advice = ADVICE, action = 'Close', children, onClose } = props;
  const { warning = 'It is shown once and cannot be shown again.' } = props;
  const [isStored, setStored] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert className={notes.warning ?? ''} icon={<IconAlertTriangle aria-hidden />}>
          Copy the {noun} now. {warning}
        </Alert>
        <SecretText secret={secret} noun={noun} advice={advice} />
        {children}
        <Group justify="space-between">
          <Checkbox
            label="I have stored it"
            checked={isStored}
            onChange={(event) => setStored(event.currentTarget.checked)}
          />
          <Button disabled={!isStored} onClick={onClose}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

type SecretTextProps = Required<Pick<ShownOnceDialogProps, 'secret' | 'noun' | 'advice'>>;

export function SecretText({ secret, noun, advice }: SecretTextProps): ReactNode {
  return (
    <Stack gap="xs">
      <Code block fz="sm" aria-label={`The ${noun}`} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {secret}
      </Code>
      <CopyButton value={secret} timeout={3000}>
        {({ copied, copy }) => (
          <Button
            data-autofocus
            variant={copied ? 'light' : 'filled'}
            color={copied ? 'teal' : 'tide'}
            leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            onClick={copy}
            w="fit-content"
          >
            {copied ? 'Copied' : `Copy the ${noun}`}
          </Button>
        )}
      </CopyButton>
      <Text c="dimmed" fz="xs">
        {advice}
      </Text>
    </Stack>
  );
}
