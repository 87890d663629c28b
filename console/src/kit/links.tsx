// Mantine's buttons and anchors as links of the router: typed addresses, and no page load.
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';

type HtmlProps<P> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P> & { ref?: Ref<HTMLAnchorElement> };

function PlainAnchor(props: AnchorProps & HtmlProps<AnchorProps>): ReactNode {
  return <Anchor {...props} />;
}

function PlainButton(props: ButtonProps & HtmlProps<ButtonProps>): ReactNode {
  return <Button component="a" {...props} />;
}

export const AnchorLink = createLink(PlainAnchor);
export const ButtonLink = createLink(PlainButton);
