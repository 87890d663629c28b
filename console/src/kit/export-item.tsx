// One file format in an export menu. The browser downloads the file itself, because it can be too large for the memory
// of a page.
import { Menu, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface ExportItemProps {
  title: string;
  file: string;
  href: string;
  children: string;
}

export function ExportItem({ title, file, href, children }: ExportItemProps): ReactNode {
  return (
    <Menu.Item component="a" href={href} download={file}>
      <Text fw={550}>{title}</Text>
      <Text fz="xs" c="dimmed">
        {children}
      </Text>
    </Menu.Item>
  );
}
