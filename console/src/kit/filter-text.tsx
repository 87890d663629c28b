// A text filter of a list. It applies on Enter or when the field loses the focus, not with each letter.
import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isId } from './search.ts';
import tokens from './tokens.module.css';

interface FilterTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Value in the address; empty matches everything. */
  value: string;
  onChange: (value: string) => void;
  /** True if the value is an identifier. Other text can be a pasted secret, which an address must not contain. */
  isIdentifier?: boolean;
}

export function FilterText({ value, onChange, isIdentifier = false, ...props }: FilterTextProps): ReactNode {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    // The address has changed, by navigation or by this field.
    setKnown(value);
    setText(value);
  }
  const [isRefused, setRefused] = useState(false);
  const apply = (): void => {
    const next = text.trim();
    const isInvalid = isIdentifier && next !== '' && !isId(next);
    setRefused(isInvalid);
    if (next !== value && !isInvalid) onChange(next);
  };
  return (
    <TextInput
      classNames={{ input: tokens.filterInput ?? '' }}
      {...props}
      value={text}
      error={isRefused && 'Enter a whole identifier.'}
      onChange={(event) => {
        setText(event.currentTarget.value);
        setRefused(false);
      }}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}
