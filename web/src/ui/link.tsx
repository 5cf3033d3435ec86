import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Props = AnchorProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & {
    readonly ref?: Ref<HTMLAnchorElement>;
  };

/** A link to a page of ours: checked by its types, and read ahead when somebody points at it. */
export const PageLink = createLink((props: Props) => <Anchor {...props} />);
