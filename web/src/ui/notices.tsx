import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiError, Proposed } from '../api.ts';
import { ErrorId } from './error-id.tsx';

const undoMs = 10_000;

interface Done {
  /** A notice with the same id is replaced. */
  readonly id: string;
  /** The thing, a participle, and where: "Segment Nordics created", "dark-mode enabled in production". */
  readonly title: string;
  readonly undo?: () => Promise<unknown>;
  /** Leads to what was done. */
  readonly link?: { readonly label: string; readonly onClick: () => void };
}

/** Says what was done, with Undo for ten seconds where it can be undone. */
export function tellDone({ id, title, undo, link }: Done): void {
  notifications.hide(id);
  notifications.show({
    id,
    title,
    autoClose: undo ? undoMs : 5_000,
    message: (undo || link) && (
      <Group gap="xs">
        {undo && (
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => {
              notifications.hide(id);
              undo().catch((error: Error) => tellProblem('undo', error));
            }}
          >
            Undo
          </Button>
        )}
        {link && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              notifications.hide(id);
              link.onClick();
            }}
          >
            {link.label}
          </Button>
        )}
      </Group>
    ),
  });
}

/** `tellProblem('disable dark-mode in production', error)` says "Couldn't disable dark-mode in production", and why. */
export function tellProblem(action: string, error: Error): void {
  // The notice about the draft has told it.
  if (error instanceof Proposed) return;
  notifications.show({
    color: 'red',
    title: `Couldn't ${action}`,
    message: (
      <>
        {error.message}
        {error instanceof ApiError && error.id !== undefined && <ErrorId id={error.id} />}
      </>
    ),
    autoClose: 15_000,
  });
}
