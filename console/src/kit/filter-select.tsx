// One filter of a list: empty it stands for everything, which its placeholder says.
import { Select, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import tokens from './tokens.module.css';

export function FilterSelect(props: SelectProps): ReactNode {
  return <Select clearable classNames={{ input: tokens.filterInput ?? '' }} {...props} />;
}
