import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Props = AnchorProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & {
    readonly ref?: Ref<HTMLAnchorElement>;
  };

/** A typed link to a page of the UI, which is preloaded on hover. */
export const PageLink = createLink((props: Props) => <Anchor {...props} />);
