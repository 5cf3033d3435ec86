import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** What the button says. */
  readonly action: string;
  readonly size?: string;
  /** Why it may not be sent. */
  readonly refusal?: string | undefined;
  readonly isReady?: boolean;
  /** A form, or a mutation without fields. */
  readonly sending: {
    readonly mutate: () => void;
    readonly isPending: boolean;
    /** What no field shows. */
    readonly error: Error | null;
    readonly isReady?: boolean;
  };
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form over the page: Enter sends it, and what the server says of no field stands above the buttons. */
export function FormDialog({
  title,
  action,
  size = 'md',
  refusal,
  isReady = true,
  sending,
  onClose,
  children,
}: Props) {
  const maySend = isReady && sending.isReady !== false && refusal === undefined;
  return (
    <Modal opened onClose={onClose} title={title} size={size} transitionProps={{ duration: 100 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (maySend) sending.mutate();
        }}
      >
        <Stack>
          {children}
          {refusal !== undefined && <Alert color="gray">{refusal}</Alert>}
          {sending.error && (
            <Alert color="red" role="alert">
              {sending.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending.isPending} disabled={!maySend}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
