import { ActionBar, Alert, Button, Group, Kbd, Modal, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { plural } from './format.ts';
import { modKey } from './mod-key.ts';

interface Props {
  /** What saving changes. Without any, there is no bar. */
  readonly changes: readonly string[];
  /** Shown instead of a long list of changes: "development 1, production 2". */
  readonly summary?: string;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly isSaving?: boolean;
  /** Why it can't be saved. */
  readonly problem?: string | undefined;
  /** The text of the button, if something comes before saving. */
  readonly action?: string;
  /** Whether this tab keeps the changes, so that leaving needs no question. */
  readonly isKept?: boolean;
  /** Whether a drawer covers the page. */
  readonly isCovered?: boolean;
  readonly children?: ReactNode;
}

/** The changes of a form, saved by one request or discarded. Leaving asks first, unless the changes are kept. */
export function SaveBar({
  changes,
  onSave,
  onDiscard,
  summary,
  isSaving = false,
  problem,
  action = 'Save changes',
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
            <b>{plural(changes.length, 'unsaved change')}</b> · {summary ?? changes.join(', ')}
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
      {!isKept && <LeaveQuestion hasChanges={hasChanges} />}
    </>
  );
}

/** Asks before the user leaves with unsaved changes. */
export function LeaveQuestion({ hasChanges }: { readonly hasChanges: boolean }) {
  const blocker = useBlocker({
    // Other search parameters, such as an open panel, are still the same page.
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
        Your unsaved changes will be lost.
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
          Keep editing
        </Button>
        <Button color="red.8" onClick={() => blocker.proceed?.()}>
          Discard and leave
        </Button>
      </Group>
    </Modal>
  );
}
