import { Checkbox, TextInput } from '@mantine/core';
import { contract } from '../../../../src/modules/catalogue/saved-views/contract.ts';
import { api } from '../../api.ts';
import { useProjectName } from '../../project-name.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import type { SavedView, ViewPage } from './views-query.ts';

interface Props {
  /** Renames it; otherwise a new one is saved. */
  readonly view?: SavedView | undefined;
  readonly page: ViewPage;
  readonly project: string | undefined;
  /** What a new view shows. */
  readonly query: string;
  readonly onSaved: (view: SavedView) => void;
  readonly onClose: () => void;
}

/** Saves the filters of a list under a name, or changes the name. */
export function ViewForm({ view, page, project, query, onSaved, onClose }: Props) {
  const projectName = useProjectName();
  const saving = useSaveForm({
    initialValues: { name: view?.name ?? '', shared: view?.shared ?? false },
    schema: (view ? contract.updateSavedView : contract.createSavedView).body,
    bodyOf: ({ name, shared }) => ({
      name: name.trim(),
      shared,
      ...(!view && { page, query, ...(project !== undefined && { project }) }),
    }),
    send: ({ name, shared }): Promise<SavedView> =>
      view
        ? api('PUT /api/admin/saved-views/:id', {
            params: { id: String(view.id) },
            body: { name, shared },
          })
        : api('POST /api/admin/saved-views', {
            body: { page, name, shared, query, ...(project !== undefined && { project }) },
          }),
    refreshes: ['GET /api/admin/saved-views'],
    onSaved: (saved) => {
      onClose();
      tellDone({ id: 'saved view', title: `View ${saved.name} ${view ? 'updated' : 'saved'}` });
      onSaved(saved);
    },
  });
  const { form } = saving;
  const place = view ? view.project : (project ?? null);
  return (
    <FormDialog
      title={view ? `Edit ${view.name}` : 'Save view'}
      action={view ? 'Save' : 'Save view'}
      size="sm"
      sending={saving}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox
        label={
          place === null
            ? 'Share with everyone'
            : `Share with everyone who can see ${projectName(place)}`
        }
        {...form.getInputProps('shared', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}
