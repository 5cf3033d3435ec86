import { ActionBar, Alert, Button, Group, Kbd, Modal, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { plural } from './format.ts';
import { modKey } from './mod-key.ts';

interface Props {
  /** What saving changes, one sentence each. Without any, there is no bar. */
  readonly changes: readonly string[];
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly isSaving?: boolean;
  /** Why it cannot be saved as it is. */
  readonly problem?: string | undefined;
  /** What the button says, where something comes before saving. */
  readonly action?: string;
  /** Whether the changes are still there when somebody comes back in this tab. */
  readonly isKept?: boolean;
  /** Whether something lies over the page for which the bar would be in the way. */
  readonly isCovered?: boolean;
  readonly children?: ReactNode;
}

/** Collects the changes of a form: they are saved by one request, or dropped. Leaving with changes asks first. */
export function SaveBar({
  changes,
  onSave,
  onDiscard,
  isSaving = false,
  problem,
  action = 'Save',
  isKept = false,
  isCovered = false,
  children,
}: Props) {
  const hasChanges = changes.length > 0;
  const save = () => {
    if (hasChanges && problem === undefined) onSave();
  };
  useHotkeys([['mod+S', save]], [], true);
  return (
    <>
      {hasChanges && <div aria-hidden className="below-bar" />}
      <ActionBar
        opened={hasChanges && !isCovered}
        role="region"
        withinPortal={false}
        aria-label="Unsaved changes"
        transitionProps={{ duration: 100 }}
        className="save-bar"
      >
        <div className="save-bar-text">
          <Text size="sm" role="status" lineClamp={2}>
            <b>{plural(changes.length, 'change')}</b>: {changes.join(', ')}
          </Text>
          {problem !== undefined && (
            <Text size="sm" c="yellow.3">
              {problem}
            </Text>
          )}
        </div>
        {children}
        <Button size="xs" variant="default" onClick={onDiscard} disabled={isSaving}>
          Discard
        </Button>
        <Button
          size="xs"
          color="teal.7"
          onClick={save}
          loading={isSaving}
          disabled={problem !== undefined}
          rightSection={
            <Kbd size="xs" aria-hidden visibleFrom="md">
              {modKey} S
            </Kbd>
          }
        >
          {action}
        </Button>
      </ActionBar>
      <LeaveQuestion hasChanges={hasChanges} isKept={isKept} />
    </>
  );
}

/** Asks before somebody leaves with changes that are not saved. */
export function LeaveQuestion({
  hasChanges,
  isKept,
}: {
  readonly hasChanges: boolean;
  readonly isKept: boolean;
}) {
  const blocker = useBlocker({
    // What the address says beside the page, such as an open panel, is not left.
    shouldBlockFn: ({ current, next }) => hasChanges && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasChanges,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      centered
      size="sm"
    >
      <Alert color="yellow" mb="md">
        {isKept
          ? 'What you changed is not saved. This tab keeps it until you come back.'
          : 'What you changed on this page is lost.'}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
          Stay
        </Button>
        <Button color={isKept ? 'teal.7' : 'red.8'} onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
      </Group>
    </Modal>
  );
}
