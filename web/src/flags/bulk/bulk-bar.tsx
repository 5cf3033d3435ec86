import { ActionBar, Button, Menu, Text } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconCopy,
  IconDots,
  IconDownload,
  IconFolderShare,
  IconHourglass,
  IconTag,
  IconToggleRight,
  IconTrash,
  IconUser,
} from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useRefusalInAll } from '../../me.ts';
import { numberText } from '../../ui/format.ts';
import { GuardedButton, GuardedItem } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { useCloneRefusal } from '../clone/clone-refusal.ts';
import type { Selection } from '../list/selection.ts';
import type { BulkAction } from './bulk-wording.ts';

const BulkDialog = lazyPart(() => import('./bulk-dialog.tsx'), 'BulkDialog');
const ExportDialog = lazyPart(() => import('./export-dialog.tsx'), 'ExportDialog');
const CloneDialog = lazyPart(() => import('../clone/clone-dialog.tsx'), 'CloneDialog');

type Open = BulkAction | 'clone' | 'export';

/** What each needs in the project of a feature; a clone needs it in its target. Everyone who sees features can export them. */
const permissions: Readonly<Record<Exclude<Open, 'export' | 'clone'>, string>> = {
  enable: 'UPDATE_FEATURE_ENVIRONMENT',
  disable: 'UPDATE_FEATURE_ENVIRONMENT',
  tag: 'UPDATE_FEATURE',
  'set-owner': 'UPDATE_FEATURE',
  'mark-stale': 'UPDATE_FEATURE',
  'mark-active': 'UPDATE_FEATURE',
  complete: 'UPDATE_FEATURE',
  uncomplete: 'UPDATE_FEATURE',
  archive: 'DELETE_FEATURE',
  revive: 'UPDATE_FEATURE',
  delete: 'DELETE_FEATURE',
  move: 'MOVE_FEATURE_TOGGLE',
};

/** Why an action would change none of the features. If it changes some, the dialog says which it can't change. */
function useRefusals(projects: readonly string[]): (open: Open) => string | undefined {
  const refusalInAll = useRefusalInAll();
  const cloneRefusal = useCloneRefusal();
  return (open) => {
    if (open === 'export') return undefined;
    if (open === 'clone') return cloneRefusal;
    return refusalInAll(permissions[open], projects, {
      concernsAllEnvironments: open === 'revive',
    });
  };
}

const actionsOfActive = [
  { open: 'enable', label: 'Enable or disable…', icon: IconToggleRight },
  { open: 'tag', label: 'Edit tags…', icon: IconTag },
  { open: 'archive', label: 'Archive…', icon: IconArchive },
] as const;

const moreOfActive = [
  { open: 'set-owner', label: 'Change owner…', icon: IconUser },
  { open: 'mark-stale', label: 'Mark as stale…', icon: IconHourglass },
  { open: 'mark-active', label: 'Mark as active…', icon: IconHourglass },
  { open: 'move', label: 'Move to project…', icon: IconFolderShare },
  { open: 'clone', label: 'Clone…', icon: IconCopy },
  { open: 'export', label: 'Export…', icon: IconDownload },
] as const;

const actionsOfArchived = [
  { open: 'revive', label: 'Revive…', icon: IconArchiveOff },
  { open: 'delete', label: 'Delete permanently…', icon: IconTrash },
] as const;

interface Props {
  readonly selection: Selection;
  /** Whether the list shows the archive. */
  readonly isArchive: boolean;
}

/** The actions for a selection. */
export function BulkBar({ selection: { selected, set, clear }, isArchive }: Props) {
  const [open, setOpen] = useState<Open>();
  const names = [...selected.keys()];
  const projects = [...new Set(selected.values())];
  const refusalOf = useRefusals(projects);
  const close = () => setOpen(undefined);
  return (
    <>
      <ActionBar
        opened={names.length > 0}
        aria-label="Bulk actions"
        transitionProps={{ duration: 100 }}
        className="save-bar"
      >
        <Text size="sm" role="status" className="tabular">
          <b>{numberText(names.length)}</b> selected
        </Text>
        {(isArchive ? actionsOfArchived : actionsOfActive).map(
          ({ open: name, label, icon: Icon }) => (
            <GuardedButton
              key={name}
              size="xs"
              variant="default"
              refusal={refusalOf(name)}
              leftSection={<Icon size={15} aria-hidden />}
              onClick={() => setOpen(name)}
            >
              {label}
            </GuardedButton>
          ),
        )}
        {!isArchive && (
          <Menu position="top-end" withinPortal>
            <Menu.Target>
              <Button size="xs" variant="default" leftSection={<IconDots size={15} aria-hidden />}>
                More
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {moreOfActive.map(({ open: name, label, icon: Icon }) => (
                <GuardedItem
                  key={name}
                  refusal={refusalOf(name)}
                  leftSection={<Icon size={15} aria-hidden />}
                  onClick={() => setOpen(name)}
                >
                  {label}
                </GuardedItem>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <Button size="xs" variant="subtle" color="gray.4" onClick={clear}>
          Clear selection
        </Button>
      </ActionBar>
      <Suspense>
        {open === 'export' && <ExportDialog names={names} onClose={close} />}
        {open === 'clone' && (
          <CloneDialog
            features={[...selected].map(([name, project]) => ({ name, project }))}
            onClose={close}
          />
        )}
        {open !== undefined && open !== 'clone' && open !== 'export' && (
          <BulkDialog
            action={open}
            names={names}
            projects={projects}
            onGone={(gone) =>
              set(
                gone.map((name) => ({ name, project: '' })),
                false,
              )
            }
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}
