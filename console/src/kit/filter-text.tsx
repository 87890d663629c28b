// A text filter of a list. It applies on Enter or when the field loses the focus, not with each letter.
import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import tokens from './tokens.module.css';

interface FilterTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Value in the address; empty matches everything. */
  value: string;
  onChange: (value: string) => void;
}

export function FilterText({ value, onChange, ...props }: FilterTextProps): ReactNode {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    // The address has changed, by navigation or by this field.
    setKnown(value);
    setText(value);
  }
  const apply = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <TextInput
      classNames={{ input: tokens.filterInput ?? '' }}
      {...props}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}
