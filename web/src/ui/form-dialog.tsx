import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { otherFault } from './faults.ts';

interface Props {
  readonly title: string;
  /** What the button says. */
  readonly action: string;
  readonly size?: string;
  /** Why it may not be sent. */
  readonly refusal?: string | undefined;
  readonly isReady?: boolean;
  /** The mutation that sends the form. */
  readonly sending: {
    readonly mutate: () => void;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  /** The fields that show their faults themselves. */
  readonly fields?: readonly string[];
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
  fields = [],
  onClose,
  children,
}: Props) {
  const other = otherFault(sending.error, fields);
  const maySend = isReady && refusal === undefined;
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
          {other !== undefined && (
            <Alert color="red" role="alert">
              {other}
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
