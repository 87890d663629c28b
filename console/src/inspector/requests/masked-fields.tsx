// Input fields for the masked values of a replayed body. A typed value is written into the body's text.
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { isUnknownField, type Json, type MaskedValue, typedValue, valueAt, withValue } from './masked-body.ts';
import type { ReplayBody } from './use-replay-body.ts';

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

export function MaskedFields({ body, wasTried }: { body: ReplayBody; wasTried: boolean }): ReactNode {
  const { json, masked, unfilled } = body;
  if (masked.length === 0) return null;
  const shown = json === undefined ? [] : masked.filter(({ pointer }) => valueAt(json, pointer) !== undefined);
  return (
    <Stack gap="xs">
      <Text role="status">{unfilled.length > 0 ? sentence(unfilled) : 'All masked values have been replaced.'}</Text>
      {json !== undefined &&
        shown.map((one) =>
          isUnknownField(one) ? (
            <UnknownFields key={one.pointer} one={one} json={json} body={body} />
          ) : (
            <MaskedField key={one.pointer} one={one} json={json} body={body} wasTried={wasTried} />
          ),
        )}
    </Stack>
  );
}

function sentence(unfilled: readonly MaskedValue[]): string {
  const [one] = unfilled;
  return unfilled.length === 1
    ? `The record stores only type and size of ${one?.pointer || 'the body'}. Enter the value, because the mask would be sent as data.`
    : `The record stores only type and size of ${unfilled.length} values. Enter the values, because the masks would be sent as data.`;
}

interface FieldProps {
  one: MaskedValue;
  json: Json;
  body: ReplayBody;
}

function MaskedField({ one, json, body, wasTried }: FieldProps & { wasTried: boolean }): ReactNode {
  const { pointer, mask } = one;
  const value = valueAt(json, pointer);
  const isUnfilled = body.unfilled.includes(one);
  const text = body.typed[pointer] ?? (value === mask ? '' : typeof value === 'string' ? value : JSON.stringify(value));
  return (
    <Textarea
      autosize
      minRows={1}
      label={pointer}
      description={`Previously: ${mask.slice(1, -1)}.`}
      required
      styles={mono}
      value={text}
      error={wasTried && isUnfilled ? 'Enter a value.' : undefined}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        body.fill(pointer, typed, withValue(json, pointer, typed === '' ? mask : typedValue(typed, mask)));
      }}
    />
  );
}

function UnknownFields({ one, json, body }: FieldProps): ReactNode {
  if (!body.unfilled.includes(one)) return null;
  const { pointer, mask } = one;
  return (
    <Group justify="space-between" gap="xs">
      <Text fz="sm">
        <Text component="span" ff="monospace" fz={13}>
          {pointer}
        </Text>{' '}
        stands for {mask.slice(1, -1)}. Enter the names and values in the body, or omit them.
      </Text>
      <Button variant="default" size="xs" onClick={() => body.setText(withValue(json, pointer, undefined))}>
        Omit
      </Button>
    </Group>
  );
}
