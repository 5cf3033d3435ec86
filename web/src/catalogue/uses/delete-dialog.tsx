import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Confirm } from '../../ui/confirm.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { type Thing, UsesList, useUses } from './uses.tsx';
import {
  cannotBeUndone,
  deletability,
  deletedText,
  deletionTitle,
  noUsage,
  type Uses,
} from './words.ts';

interface Props {
  readonly thing: Thing;
  readonly name: string;
  readonly onDelete: () => Promise<unknown>;
  readonly onClose: () => void;
  /** The uses that prevent the deletion. */
  readonly blockersOf?: (uses: Uses) => Uses;
  /** What else will be lost. */
  readonly children?: ReactNode;
}

/** Asks before something unused is deleted, or lists what still uses it. */
export function DeleteDialog({
  thing,
  name,
  onDelete,
  onClose,
  blockersOf = (uses) => uses,
  children,
}: Props) {
  const { data, error } = useUses(thing);
  const blockers = data && blockersOf(data);
  const state = deletability(blockers, error);
  const title = deletionTitle(name, state);
  if (state === 'unused') {
    return (
      <Confirm
        title={title}
        action={`Delete ${thing.kind}`}
        onClose={onClose}
        onConfirm={async () => {
          await onDelete();
          tellDone({
            id: `deleted ${thing.kind} ${name}`,
            title: deletedText(thing.kind, name),
          });
        }}
      >
        <Text size="sm" component="div">
          {noUsage} {children} {cannotBeUndone}
        </Text>
      </Confirm>
    );
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      size="lg"
      transitionProps={{ duration: 100 }}
    >
      <Stack>
        {state === 'checking' && <Skeleton height={80} aria-busy="true" />}
        {state === 'unknown' && (
          <Alert color="red" role="alert">
            {error?.message}
          </Alert>
        )}
        {blockers && (
          <>
            <Text size="sm">
              It's still in use. Remove it from these first.
              {blockers.features.some(({ archived }) => archived) &&
                ' Archived features count because they can be revived.'}
            </Text>
            <UsesList uses={blockers} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
