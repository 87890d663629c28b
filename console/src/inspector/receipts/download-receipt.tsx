// Downloads the signed receipt of a revocation, and names the address of the keys that verify it.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, managementOf } from '../../kit/api.ts';
import { Inline } from '../../kit/inline.tsx';
import { BrowserProblem, describeProblem } from '../../kit/problem-text.ts';
import { saveFile } from '../../kit/save-file.ts';

interface ReceiptOf {
  organisationId: string;
  receiptId: string;
  /** The environment of the document if absent. */
  environment?: 'sandbox' | 'production';
}

/** A receipt is signed some milliseconds after the answer of its revocation. */
const TRIES = 20;
const BETWEEN_TRIES_MS = 250;
/** The number of receipts that a notification offers. */
const MAX_BUTTONS = 3;

async function loadReceipt({ environment, ...receipt }: ReceiptOf): Promise<{ jws: string; keysUrl: string }> {
  const client = environment === undefined ? api : managementOf(environment);
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { jws, keysUrl } = await client.getRevocationReceipt(receipt);
    if (jws !== null) return { jws, keysUrl };
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
  }
  throw new BrowserProblem('The receipt is not signed yet', 'It is signed within five minutes. Download it later.');
}

export function DownloadReceipt({ part, ...receipt }: ReceiptOf & { part?: string }): ReactNode {
  const download = useMutation({
    mutationFn: () => loadReceipt(receipt),
    onSuccess: ({ jws }) => saveFile(`${receipt.receiptId}.jws`, `${jws}\n`, 'application/jose'),
  });
  return (
    <Stack gap={4} align="flex-start">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download receipt{part && ` ${part}`}
      </Button>
      {download.data && (
        <Text size="xs" c="dimmed">
          Verify it with the{' '}
          <Anchor href={download.data.keysUrl} target="_blank" rel="noreferrer">
            public keys
          </Anchor>{' '}
          of the environment.
        </Text>
      )}
      {download.error && (
        <Text size="xs" c="red" role="alert">
          {describeProblem(download.error).title}. <Inline>{describeProblem(download.error).fix}</Inline>
        </Text>
      )}
    </Stack>
  );
}

interface RevocationMessageProps {
  text: string;
  organisationId: string;
  receiptIds: readonly string[];
}

/** The message of a notification after a revocation. A change of many servers has several receipts. */
export function RevocationMessage({ text, organisationId, receiptIds }: RevocationMessageProps): ReactNode {
  return (
    <Stack gap="xs">
      <Text size="sm">{text}</Text>
      {receiptIds.slice(0, MAX_BUTTONS).map((receiptId, at) => (
        <DownloadReceipt
          key={receiptId}
          {...{ organisationId, receiptId }}
          {...(receiptIds.length > 1 && { part: `${at + 1} of ${receiptIds.length}` })}
        />
      ))}
      {receiptIds.length > MAX_BUTTONS && <Text size="xs">The audit log has the other receipts.</Text>}
    </Stack>
  );
}
