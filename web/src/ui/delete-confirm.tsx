import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Confirm } from './confirm.tsx';
import { capitalized } from './format.ts';
import { tellDone } from './notices.tsx';

interface Props {
  /** What it is: "group", "service account". */
  readonly kind: string;
  readonly name: string;
  readonly onDelete: () => Promise<unknown>;
  readonly onClose: () => void;
  /** The consequences, in sentences. */
  readonly children?: ReactNode;
}

/** Asks before something is deleted, and says when it is. */
export const DeleteConfirm = ({ kind, name, onDelete, onClose, children }: Props) => (
  <Confirm
    title={`Delete ${name}?`}
    action={`Delete ${kind}`}
    onClose={onClose}
    onConfirm={async () => {
      await onDelete();
      tellDone({ id: `${kind} deleted`, title: `${capitalized(kind)} ${name} deleted` });
    }}
  >
    <Text size="sm" component="div">
      {children} This can't be undone.
    </Text>
  </Confirm>
);
