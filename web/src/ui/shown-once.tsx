import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Such as "token". */
  readonly what: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A secret that can't be shown again. */
export const ShownOnce = ({ title, what, onClose, children }: Props) => (
  <Modal opened onClose={onClose} title={title} size="lg" transitionProps={{ duration: 0 }}>
    <Stack>
      <Alert color="yellow" role="status">
        Copy the {what} now. You won't be able to see it again.
      </Alert>
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  </Modal>
);
