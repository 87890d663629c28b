// Inputs with a limit. A value beyond the limit stays as it was typed or pasted, reports the limit, and blocks the
// form: an input that cuts or corrects a value silently sends something else than the person entered.
import {
  NumberInput,
  type NumberInputProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { counted, grouped } from './number.ts';

/** Sets the message as the browser's custom validity, which a form checks before it is sent. */
export function useCustomValidity<T extends HTMLInputElement | HTMLTextAreaElement>(
  message: string | undefined,
): RefObject<T | null> {
  const input = useRef<T>(null);
  useEffect(() => input.current?.setCustomValidity(message ?? ''), [message]);
  return input;
}

type LimitedProps<P> = Omit<P, 'maxLength' | 'value'> & { value: string; most: number };

/** Returns the message for a text that is too long. Counts code points, as the API does. */
function lengthError(value: string, most: number): string | undefined {
  const length = [...value].length;
  return length > most ? `At most ${counted(most, 'character')}: this text has ${grouped(length)}.` : undefined;
}

export function LimitedTextInput({ most, error, ...props }: LimitedProps<TextInputProps>): ReactNode {
  const refusal = lengthError(props.value, most);
  return <TextInput ref={useCustomValidity<HTMLInputElement>(refusal)} {...props} error={refusal ?? error} />;
}

export function LimitedTextarea({ most, error, ...props }: LimitedProps<TextareaProps>): ReactNode {
  const refusal = lengthError(props.value, most);
  return <Textarea ref={useCustomValidity<HTMLTextAreaElement>(refusal)} {...props} error={refusal ?? error} />;
}

interface LimitedNumberInputProps extends Omit<NumberInputProps, 'min' | 'max' | 'clampBehavior'> {
  min: number;
  max: number;
}

export function LimitedNumberInput({ min, max, error, ...props }: LimitedNumberInputProps): ReactNode {
  const { value, suffix = '' } = props;
  const isOutside = value !== '' && value !== undefined && (Number(value) < min || Number(value) > max);
  const refusal = isOutside ? `From ${grouped(min)} to ${grouped(max)}${suffix}.` : undefined;
  return (
    <NumberInput
      ref={useCustomValidity<HTMLInputElement>(refusal)}
      min={min}
      max={max}
      clampBehavior="none"
      {...props}
      error={refusal ?? error}
    />
  );
}
