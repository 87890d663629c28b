// One filter of a list that is typed: it counts when one presses Enter or goes on, not with every letter.
import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import tokens from './tokens.module.css';

interface FilterTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** As it stands in the address; empty for everything. */
  value: string;
  onChange: (value: string) => void;
}

export function FilterText({ value, onChange, ...props }: FilterTextProps): ReactNode {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    // The address has changed, by a way of its own or by what was typed here.
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
