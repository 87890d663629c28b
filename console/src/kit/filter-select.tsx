// A select filter of a list. Its placeholder describes the empty filter, which matches everything.
import { Select, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import tokens from './tokens.module.css';

export function FilterSelect(props: SelectProps): ReactNode {
  return <Select clearable classNames={{ input: tokens.filterInput ?? '' }} {...props} />;
}
