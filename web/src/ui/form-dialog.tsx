import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Proposed } from '../api.ts';
import { GuardedButton } from './guarded.tsx';
import { WithCode } from './with-code.tsx';

interface Props {
  readonly title: string;
  /** What the button says. */
  readonly action: string;
  readonly size?: string;
  /** Of the button. */
  readonly color?: string;
  /** Why it may not be sent. */
  readonly refusal?: string | undefined;
  readonly isReady?: boolean;
  /** What to fill in first: "Enter an email". */
  readonly missing?: string | undefined;
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

/** A form over the page: Enter sends it, and what the server says of no field is shown above the buttons. */
export function FormDialog({
  title,
  action,
  size = 'md',
  color,
  refusal,
  isReady = true,
  missing,
  sending,
  onClose,
  children,
}: Props) {
  const isProposed = sending.error instanceof Proposed;
  useEffect(() => {
    if (isProposed) onClose();
  }, [isProposed, onClose]);
  const isFilledIn = isReady && sending.isReady !== false;
  const reason = refusal ?? missing ?? (isFilledIn ? undefined : 'Fill in all required fields');
  return (
    <Modal opened onClose={onClose} title={title} size={size} transitionProps={{ duration: 100 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === undefined) sending.mutate();
        }}
      >
        <Stack>
          {children}
          {refusal !== undefined && (
            <Alert color="gray">
              <WithCode text={refusal} />
            </Alert>
          )}
          {sending.error && (
            <Alert color="red" role="alert">
              {sending.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <GuardedButton
              type="submit"
              loading={sending.isPending}
              refusal={reason}
              {...(color !== undefined && { color })}
            >
              {action}
            </GuardedButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
