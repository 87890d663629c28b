// A secret that is shown this once: the dialog cannot be left by accident, only after saying that it was stored.
import { Alert, Button, Checkbox, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import notes from './notes.module.css';

interface ShownOnceDialogProps {
  title: string;
  secret: string;
  /** What the secret is, as in "Copy the key". */
  noun: string;
  /** Where it belongs. */
  advice?: string;
  /** What comes of losing it, where that is not for ever. */
  warning?: string;
  /** The verb on the button that leaves the dialog. */
  action?: string;
  children?: ReactNode;
  onClose: () => void;
}

export const ADVICE = 'Keep it on a server, never in browser code, logs or a repository.';

export function ShownOnceDialog(props: ShownOnceDialogProps): ReactNode {
  const { title, secret, noun, advice = ADVICE, action = 'Close', children, onClose } = props;
  const { warning = 'This is shown once; nobody can show it again.' } = props;
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
