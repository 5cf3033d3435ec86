import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../ui/lazy-part.ts';
import type { Selection } from './words.ts';

const RevertDialog = lazyPart(() => import('./revert-dialog.tsx'), 'RevertDialog');

interface Props {
  readonly selection: Selection;
  /** Of the button: "Revert…". */
  readonly label: string;
  /** Of the dialog: "Revert event #7". */
  readonly title: string;
  readonly size?: 'xs' | 'compact-xs';
  readonly onDone?: () => void;
}

/** Opens the plan of a revert. */
export function RevertButton({ selection, label, title, size = 'xs', onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size={size}
        variant="default"
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        {...(label !== title && { 'aria-label': title })}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <RevertDialog
            selection={selection}
            title={title}
            {...(onDone && { onDone })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
