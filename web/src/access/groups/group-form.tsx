import { MultiSelect, Select, TagsInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { DescriptionField, TextField } from '../../ui/text-field.tsx';
import { nameOfAccount, noteOfAccount } from '../account-words.ts';
import type { TeamGroup } from './groups.tsx';

interface Props {
  readonly group: TeamGroup | undefined;
  readonly onSaved: () => Promise<unknown>;
  readonly onClose: () => void;
}

const none = 'none';

/** A new group, or another shape of one. */
export function GroupForm({ group, onSaved, onClose }: Props) {
  const everybody = useQuery(read('GET /api/admin/user-admin', {})).data;
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const [members, setMembers] = useState(group?.users.map(({ user }) => String(user.id)) ?? []);
  const [rootRole, setRootRole] = useState(String(group?.rootRole ?? none));
  const [mappings, setMappings] = useState([...(group?.mappingsSSO ?? [])]);
  const save = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        description,
        mappingsSSO: mappings,
        rootRole: rootRole === none ? null : Number(rootRole),
        users: members.map((id) => ({ user: { id: Number(id) } })),
      };
      return group === undefined
        ? api('POST /api/admin/groups', { body })
        : api('PUT /api/admin/groups/:groupId', { params: { groupId: String(group.id) }, body });
    },
    onSuccess: async (saved) => {
      await onSaved();
      onClose();
      tellDone({ id: `group ${saved.id}`, title: `The group ${saved.name} is saved` });
    },
  });
  return (
    <FormDialog
      title={group === undefined ? 'New group' : `Change ${group.name}`}
      action={group === undefined ? 'Create group' : 'Save'}
      size="lg"
      isReady={name.trim() !== ''}
      sending={save}
      fields={['name', 'description']}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        required
        maxLength={100}
        data-autofocus
        value={name}
        refused={save.error}
        onChange={setName}
      />
      <DescriptionField value={description} refused={save.error} onChange={setDescription} />
      <MultiSelect
        label="Members"
        placeholder={members.length === 0 ? 'Search by name or e-mail' : ''}
        searchable
        limit={100}
        value={members}
        onChange={setMembers}
        comboboxProps={{ transitionProps: { duration: 100 } }}
        data={(everybody?.users ?? []).map((user) => ({
          value: String(user.id),
          label: [nameOfAccount(user), noteOfAccount(user)].filter(Boolean).join(' · '),
        }))}
      />
      <Select
        label="Role in the installation"
        description="Members have it in addition to their own. Roles in projects are given there."
        allowDeselect={false}
        value={rootRole}
        onChange={(value) => setRootRole(value ?? none)}
        data={[
          { value: none, label: 'None' },
          ...(everybody?.rootRoles ?? []).map((role) => ({
            value: String(role.id),
            label: role.name,
          })),
        ]}
      />
      <TagsInput
        label="Follows groups of the OpenID provider"
        description="Whoever signs in with one of these groups becomes a member, and others leave. It needs group syncing, which is set with signing in."
        value={mappings}
        onChange={setMappings}
      />
    </FormDialog>
  );
}
