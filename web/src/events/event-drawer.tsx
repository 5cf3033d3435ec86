import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

interface Props {
  readonly opened: boolean;
  readonly isWide: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The details of an event, where there is no room beside the list. */
export function EventDrawer({ opened, isWide, onClose, children }: Props) {
  // It is loaded by the click that opens it, and returns the focus only if it was closed before.
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(opened), [opened]);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={isWide ? 'lg' : '100%'}
      transitionProps={{ duration: 0 }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label="Event details">
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
