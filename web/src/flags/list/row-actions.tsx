import { type ReactNode, Suspense, useState } from 'react';
import { useRefusals } from '../../me.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { tellProblem } from '../../ui/notices.tsx';
import { useCloneRefusal } from '../clone/clone-refusal.ts';
import { toggleFavorite } from './favorite.tsx';
import type { FoundFeature } from './feature-pages.ts';

const BulkDialog = lazyPart(() => import('../bulk/bulk-dialog.tsx'), 'BulkDialog');
const CloneDialog = lazyPart(() => import('../clone/clone-dialog.tsx'), 'CloneDialog');
const RowSwitches = lazyPart(() => import('./row-switches.tsx'), 'RowSwitches');

type Action = 'switch' | 'clone' | 'archive';

interface RowActions {
  /** Does what a letter means for the focused row; false if it means nothing. */
  readonly act: (letter: string, feature: FoundFeature) => boolean;
  /** The open dialog. `focused` is the row as it is now. */
  readonly dialog: (focused: FoundFeature | undefined) => ReactNode;
}

/** What the keys s, c, f, and a do with the focused row, or why they can't. */
export function useRowActions(): RowActions {
  const [open, setOpen] = useState<{ action: Action; feature: FoundFeature }>();
  const refusalOf = useRefusals();
  const cloneRefusal = useCloneRefusal();
  const ask = (action: Action, feature: FoundFeature, refusal?: string) => {
    if (refusal === undefined) setOpen({ action, feature });
    else tellProblem(`${action} ${feature.name}`, new Error(refusal));
  };
  const close = () => setOpen(undefined);
  return {
    act: (letter, feature) => {
      const { name, project, favorite, archived } = feature;
      if (archived) return false;
      if (letter === 'f') void toggleFavorite({ project, feature: name, favorite });
      else if (letter === 's') ask('switch', feature);
      else if (letter === 'c') ask('clone', feature, cloneRefusal);
      else if (letter === 'a') ask('archive', feature, refusalOf('DELETE_FEATURE', { project }));
      else return false;
      return true;
    },
    dialog: (focused) =>
      open && (
        <Suspense>
          {open.action === 'switch' && (
            <RowSwitches
              feature={focused?.name === open.feature.name ? focused : open.feature}
              onClose={close}
            />
          )}
          {open.action === 'clone' && <CloneDialog features={[open.feature]} onClose={close} />}
          {open.action === 'archive' && (
            <BulkDialog
              action="archive"
              names={[open.feature.name]}
              onGone={() => {}}
              onClose={close}
            />
          )}
        </Suspense>
      ),
  };
}
