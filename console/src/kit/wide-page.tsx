// A page as wide as the header, aligned with its first letter.
import { Container, type ContainerProps } from '@mantine/core';
import type { ReactNode } from 'react';

export const WidePage = (props: ContainerProps): ReactNode => (
  <Container size={1400} px={{ base: 'sm', sm: 20 }} {...props} />
);
