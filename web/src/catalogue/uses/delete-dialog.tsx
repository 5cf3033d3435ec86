import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Confirm } from '../../ui/confirm.tsx';
import { capitalized } from '../../ui/format.ts';
import { tellDone } from '../../ui/notices.tsx';
import { type Thing, type Uses, UsesList, useUses } from './uses.tsx';

interface Props {
  readonly thing: Thing;
  readonly name: string;
  readonly onDelete: () => Promise<unknown>;
  readonly onClose: () => void;
  /** What keeps it, of all that uses it. */
  readonly blockersOf?: (uses: Uses) => Uses;
  /** What goes with it. */
  readonly children: ReactNode;
}

/** Says what stands in the way of deleting something before anything is tried, and asks where nothing does. */
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
  const isFree =
    blockers !== undefined &&
    blockers.featureCount + blockers.projects.length + blockers.segments.length === 0;
  if (isFree) {
    return (
      <Confirm
        title={`Delete the ${thing.kind} ${name}?`}
        action={`Delete ${thing.kind}`}
        onClose={onClose}
        onConfirm={async () => {
          await onDelete();
          tellDone({
            id: `deleted ${thing.kind} ${name}`,
            title: `${capitalized(thing.kind)} ${name} deleted`,
          });
        }}
      >
        <Text size="sm" component="div">
          {children}
        </Text>
      </Confirm>
    );
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${name} cannot be deleted`}
      centered
      size="lg"
      transitionProps={{ duration: 100 }}
    >
      <Stack>
        {error && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        {blockers ? (
          <>
            <Text size="sm">
              These still use it. Remove it there first
              {blockers.features.some(({ archived }) => archived) &&
                '; archived features count too, because they can be revived'}
              .
            </Text>
            <UsesList uses={blockers} />
          </>
        ) : (
          !error && <Skeleton height={80} aria-busy="true" />
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
