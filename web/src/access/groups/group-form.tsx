import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { contract } from '../../../../src/modules/access/groups/contract.ts';
import { api, type Response } from '../../api.ts';
import { read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { nameOfAccount, noteOfAccount } from '../account-words.ts';

export type TeamGroup = Response<'GET /api/admin/groups'>['groups'][number];

/** What shows groups or their roles. */
export const groupReads = [
  'GET /api/admin/groups',
  'GET /api/admin/access/overview',
  'GET /api/admin/user-admin/access',
] as const;

interface Props {
  readonly group: TeamGroup | undefined;
  readonly onClose: () => void;
}

const none = 'none';

/** Creates or edits a group. */
export function GroupForm({ group, onClose }: Props) {
  const candidates = useQuery(read('GET /api/admin/user-admin', {})).data;
  const saving = useSaveForm({
    initialValues: {
      name: group?.name ?? '',
      description: group?.description ?? '',
      users: group?.users.map(({ user }) => String(user.id)) ?? [],
      rootRole: String(group?.rootRole ?? none),
      mappingsSSO: [...(group?.mappingsSSO ?? [])],
    },
    schema: (group ? contract.updateGroup : contract.createGroup).body,
    bodyOf: ({ name, users, rootRole, ...rest }) => ({
      ...rest,
      name: name.trim(),
      rootRole: rootRole === none ? null : Number(rootRole),
      users: users.map((id) => ({ user: { id: Number(id) } })),
    }),
    send: (body) =>
      group
        ? api('PUT /api/admin/groups/:groupId', { params: { groupId: String(group.id) }, body })
        : api('POST /api/admin/groups', { body }),
    refreshes: groupReads,
    onSaved: ({ id, name }) => {
      onClose();
      tellDone({ id: `group ${id}`, title: `Group ${name} ${group ? 'saved' : 'created'}` });
    },
  });
  const { form } = saving;
  return (
    <FormDialog
      title={group === undefined ? 'New group' : `Edit ${group.name}`}
      action={group === undefined ? 'Create group' : 'Save'}
      size="lg"
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
      <TextInput label="Description" maxLength={1000} {...form.getInputProps('description')} />
      <MultiSelect
        label="Members"
        placeholder={form.values.users.length === 0 ? 'Search by name or email' : ''}
        searchable
        limit={100}
        {...form.getInputProps('users')}
        comboboxProps={{ transitionProps: { duration: 100 } }}
        data={(candidates?.users ?? []).map((user) => ({
          value: String(user.id),
          label: [nameOfAccount(user), noteOfAccount(user)].filter(Boolean).join(' · '),
        }))}
      />
      <Select
        label="Root role"
        description="Members get this in addition to their own root role. Grant project roles in each project's settings."
        allowDeselect={false}
        {...form.getInputProps('rootRole')}
        data={[
          { value: none, label: 'None' },
          ...(candidates?.rootRoles ?? []).map((role) => ({
            value: String(role.id),
            label: role.name,
          })),
        ]}
      />
      <TagsInput
        label="SSO groups"
        description="Users in these SSO groups are added when they sign in; others are removed. Requires group sync in Authentication settings."
        {...form.getInputProps('mappingsSSO')}
      />
    </FormDialog>
  );
}
