import { TextInput } from '@mantine/core';
import { userAdminContract } from '../../../../src/modules/access/users/user-admin/contract.ts';
import { api, type Response } from '../../api.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { nameOfAccount } from '../account-words.ts';

/** What shows users. */
export const peopleReads = [
  'GET /api/admin/user-admin',
  'GET /api/admin/user-admin/inactive',
  'GET /api/admin/access/overview',
] as const;

interface Props {
  readonly user: Response<'GET /api/admin/user-admin'>['users'][number];
  readonly onClose: () => void;
}

/** Edits the name and email of a user. */
export function EditPerson({ user, onClose }: Props) {
  const before = { name: user.name ?? '', email: user.email ?? '' };
  const saving = useSaveForm({
    initialValues: before,
    schema: userAdminContract.updateUser.body,
    bodyOf: ({ name, email }) => ({
      ...(name !== before.name && { name }),
      ...(email !== before.email && { email }),
    }),
    send: (body) => api('PUT /api/admin/user-admin/:id', { params: { id: String(user.id) }, body }),
    refreshes: peopleReads,
    onSaved: (saved) => {
      onClose();
      tellDone({ id: `person ${user.id}`, title: `User ${nameOfAccount(saved)} saved` });
    },
  });
  const { form } = saving;
  return (
    <FormDialog
      title={`Edit ${nameOfAccount(user)}`}
      action="Save"
      sending={{ ...saving, isReady: true }}
      onClose={onClose}
    >
      <TextInput label="Name" maxLength={255} data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Email" type="email" maxLength={254} {...form.getInputProps('email')} />
    </FormDialog>
  );
}
