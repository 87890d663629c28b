// Mantine's buttons and anchors as router links: typed addresses without a page load.
import { ActionIcon, type ActionIconProps, Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';

type HtmlProps<P> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P> & { ref?: Ref<HTMLAnchorElement> };

function PlainAnchor(props: AnchorProps & HtmlProps<AnchorProps>): ReactNode {
  return <Anchor {...props} />;
}

function PlainButton(props: ButtonProps & HtmlProps<ButtonProps>): ReactNode {
  return <Button component="a" {...props} />;
}

function PlainActionIcon(props: ActionIconProps & HtmlProps<ActionIconProps>): ReactNode {
  return <ActionIcon component="a" {...props} />;
}

export const ActionIconLink = createLink(PlainActionIcon);
export const AnchorLink = createLink(PlainAnchor);
export const ButtonLink = createLink(PlainButton);
