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
  children?: ReactNode;
  onClose: () => void;
}

export function ShownOnceDialog({ title, secret, noun, children, onClose }: ShownOnceDialogProps): ReactNode {
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
          Copy the {noun} now. It is shown this once; nobody can show it again.
        </Alert>
        <Secret secret={secret} noun={noun} />
        {children}
        <Group justify="space-between">
          <Checkbox
            label="I have stored it"
            checked={isStored}
            onChange={(event) => setStored(event.currentTarget.checked)}
          />
          <Button disabled={!isStored} onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Secret({ secret, noun }: { secret: string; noun: string }): ReactNode {
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
        Keep it on a server, never in browser code, logs or a repository.
      </Text>
    </Stack>
  );
}
