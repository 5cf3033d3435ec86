import { Button, type ButtonProps, Menu, Text } from '@mantine/core';
import {
  IconBookmark,
  IconCheck,
  IconChevronDown,
  IconDeviceFloppy,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api } from '../../api.ts';
import { may, useMe } from '../../me.ts';
import { invalidate } from '../../queries.ts';
import { GuardedItem } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { useDirectory } from '../../use-directory.ts';
import classes from './saved-views.module.css';
import { currentOf } from './view-query.ts';
import { type SavedView, type ViewPage, viewsQuery } from './views-query.ts';

const DeleteConfirm = lazyPart(() => import('../../ui/delete-confirm.tsx'), 'DeleteConfirm');
const ViewForm = lazyPart(() => import('./view-form.tsx'), 'ViewForm');

export interface BuiltInView {
  readonly name: string;
  readonly query: string;
}

type AnyView = BuiltInView | SavedView;

/** What to do before there is a view to save. */
const nothingToSave: Readonly<Record<ViewPage, string>> = {
  features: 'Filter, sort, or choose columns to save a view',
  events: 'Search or filter events to save a view',
};

const isSaved = (view: AnyView): view is SavedView => 'id' in view;

interface Props extends Pick<ButtonProps, 'size'> {
  readonly page: ViewPage;
  readonly project?: string | undefined;
  /** What the list shows, as the text of a view. */
  readonly query: string;
  /** The view that the address names. */
  readonly viewId: number | undefined;
  readonly builtIn?: readonly BuiltInView[];
  readonly onOpen: (query: string, id: number | undefined) => void;
}

/** The own, shared, and built-in views of a list, and what can be done with the open one. */
export function ViewsMenu({ page, project, query, viewId, builtIn = [], onOpen, size }: Props) {
  const me = useMe();
  const directory = useDirectory();
  const saved = useQuery(viewsQuery(me.user.id, page, project)).data?.views ?? [];
  const [dialog, setDialog] = useState<'save' | 'edit' | 'delete'>();
  // Inside a project, a view that filters by project would show something else than it says.
  const listed = saved.filter(
    (view) =>
      project === undefined ||
      view.project !== null ||
      new URLSearchParams(view.query).get('project') === null,
  );
  const current = currentOf<AnyView>([...listed, ...builtIn], viewId, query);
  const open = current && isSaved(current.view) ? current.view : undefined;
  const mayChange = open && (open.userId === me.user.id || may(me, 'ADMIN'));
  const refusal = mayChange ? undefined : 'Only the author and admins can change a shared view';
  const own = listed.filter(({ userId }) => userId === me.user.id);
  const others = listed.filter(({ userId }) => userId !== me.user.id);
  const close = () => setDialog(undefined);
  const openSaved = (view: SavedView) => onOpen(view.query, view.id);
  const change = async (view: SavedView, body: { query?: string; shared?: boolean }) => {
    try {
      const params = { id: String(view.id) };
      const changed = await api('PUT /api/admin/saved-views/:id', { params, body });
      await invalidate('GET /api/admin/saved-views');
      const what =
        body.shared === undefined ? 'updated' : body.shared ? 'shared' : 'no longer shared';
      tellDone({ id: 'saved view', title: `View ${changed.name} ${what}` });
      if (body.query !== undefined) openSaved(changed);
    } catch (error) {
      tellProblem(`update ${view.name}`, error as Error);
    }
  };
  const item = (view: AnyView) => (
    <Menu.Item
      key={isSaved(view) ? view.id : view.name}
      aria-current={view === current?.view || undefined}
      onClick={() => onOpen(view.query, isSaved(view) ? view.id : undefined)}
      leftSection={<IconCheck size={14} aria-hidden opacity={view === current?.view ? 1 : 0} />}
      rightSection={
        isSaved(view) && view.shared && view.userId === me.user.id ? (
          <IconUsers size={14} aria-label="Shared" />
        ) : undefined
      }
    >
      {view.name}
      {isSaved(view) && view.userId !== me.user.id && (
        <Text size="xs" className="quiet" span>
          {` · ${directory.user(view.userId)?.name ?? 'Deleted user'}`}
        </Text>
      )}
    </Menu.Item>
  );
  const section = (label: string, views: readonly AnyView[]) =>
    views.length > 0 && (
      <>
        <Menu.Label>{label}</Menu.Label>
        {views.map(item)}
      </>
    );
  return (
    <>
      <MenuButton
        position="bottom-end"
        width={300}
        dropdown={{ mah: 440, style: { overflowY: 'auto' } }}
        button={
          <Button
            variant="default"
            {...(size !== undefined && { size })}
            className={classes.button ?? ''}
            data-view={current !== undefined || undefined}
            leftSection={<IconBookmark size={14} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            <span className={classes.name}>{current?.view.name ?? 'Views'}</span>
            {current?.isModified && <span className={classes.modified}> (modified)</span>}
          </Button>
        }
      >
        {section('My views', own)}
        {section('Shared views', others)}
        {section('Default views', builtIn)}
        {listed.length + builtIn.length > 0 ? (
          <Menu.Divider />
        ) : (
          <Menu.Label>No views yet</Menu.Label>
        )}
        <GuardedItem
          refusal={query === '' ? nothingToSave[page] : undefined}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setDialog('save')}
        >
          Save as new view…
        </GuardedItem>
        {open && (
          <>
            <Menu.Label className={classes.open ?? ''}>{open.name}</Menu.Label>
            {current?.isModified && (
              <GuardedItem
                refusal={refusal}
                leftSection={<IconDeviceFloppy size={14} aria-hidden />}
                onClick={() => void change(open, { query })}
              >
                Save changes
              </GuardedItem>
            )}
            <GuardedItem
              refusal={refusal}
              leftSection={<IconPencil size={14} aria-hidden />}
              onClick={() => setDialog('edit')}
            >
              Rename…
            </GuardedItem>
            <GuardedItem
              refusal={refusal}
              leftSection={<IconUsers size={14} aria-hidden />}
              onClick={() => void change(open, { shared: !open.shared })}
            >
              {open.shared ? 'Stop sharing' : 'Share'}
            </GuardedItem>
            <GuardedItem
              refusal={refusal}
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => setDialog('delete')}
            >
              Delete…
            </GuardedItem>
          </>
        )}
      </MenuButton>
      <Suspense>
        {(dialog === 'save' || (dialog === 'edit' && open)) && (
          <ViewForm
            view={dialog === 'edit' ? open : undefined}
            page={page}
            project={project}
            query={query}
            onSaved={openSaved}
            onClose={close}
          />
        )}
        {dialog === 'delete' && open && (
          <DeleteConfirm
            kind="view"
            name={open.name}
            onClose={close}
            onDelete={async () => {
              await api('DELETE /api/admin/saved-views/:id', { params: { id: String(open.id) } });
              onOpen(query, undefined);
              await invalidate('GET /api/admin/saved-views');
            }}
          >
            {open.shared && 'Others will no longer see it.'}
          </DeleteConfirm>
        )}
      </Suspense>
    </>
  );
}
