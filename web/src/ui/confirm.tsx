import { Alert, Button, Code, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Proposed } from '../api.ts';

interface Props {
  readonly title: string;
  readonly action: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** What has to be typed first, where nothing brings it back. */
  readonly typed?: string;
  readonly children: ReactNode;
}

/** Asks before something that cannot be undone. It says what will be lost. */
export function Confirm({ title, action, onConfirm, onClose, typed, children }: Props) {
  const [text, setText] = useState('');
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isReady = typed === undefined || text === typed;
  const confirm = async () => {
    if (!isReady) return;
    setWorking(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      if (error instanceof Proposed) return onClose();
      setProblem((error as Error).message);
      setWorking(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} centered transitionProps={{ duration: 100 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack>
          {children}
          {typed !== undefined && (
            <TextInput
              label={
                <>
                  Type <Code>{typed}</Code> to confirm
                </>
              }
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {problem !== undefined && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={typed === undefined}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={isWorking} disabled={!isReady}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
