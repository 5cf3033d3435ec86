import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** Words that open and close something beneath them. */
export const MoreButton = ({ isOpen, onToggle, children }: Props) => (
  <UnstyledButton
    fz="xs"
    c="var(--mantine-color-anchor)"
    ta="left"
    aria-expanded={isOpen}
    onClick={onToggle}
  >
    {children}
  </UnstyledButton>
);
