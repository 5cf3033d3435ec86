import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiError } from '../api.ts';
import { ErrorId } from './error-id.tsx';

const undoMs = 10_000;

interface Done {
  /** A notice with the same id is replaced. */
  readonly id: string;
  /** What is now true. */
  readonly title: string;
  readonly undo?: () => Promise<unknown>;
}

/** Says what is now true, with Undo for ten seconds where it can be undone. */
export function tellDone({ id, title, undo }: Done): void {
  notifications.hide(id);
  notifications.show({
    id,
    title,
    autoClose: undo ? undoMs : 5_000,
    message: undo && (
      <Button
        size="compact-sm"
        variant="light"
        onClick={() => {
          notifications.hide(id);
          undo().catch((error: Error) => tellProblem('It could not be undone', error));
        }}
      >
        Undo
      </Button>
    ),
  });
}

/** Says that something did not happen, and why. */
export const tellProblem = (title: string, error: Error): void =>
  void notifications.show({
    color: 'red',
    title,
    message: (
      <>
        {error.message}
        {error instanceof ApiError && error.id !== undefined && <ErrorId id={error.id} />}
      </>
    ),
    autoClose: 15_000,
  });
