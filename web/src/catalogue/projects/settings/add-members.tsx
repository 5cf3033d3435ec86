import { Checkbox, MultiSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accessContract } from '../../../../../src/modules/access/project-access/contract.ts';
import { api } from '../../../api.ts';
import { read } from '../../../queries.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { plural } from '../../../ui/format.ts';
import { tellDone } from '../../../ui/notices.tsx';
import { useSaveForm } from '../../../ui/save-form.ts';
import { accessReads, type ProjectRole } from './access-reads.ts';

/** The built-in role for working on features. */
const memberRole = '5';

interface Props {
  readonly projectId: string;
  readonly roles: readonly ProjectRole[];
  /** Who has roles already, as `user 3` or `group 1`. */
  readonly present: ReadonlySet<string>;
  readonly onClose: () => void;
}

/** Adds users and groups to a project. */
export function AddMembers({ projectId, roles, present, onClose }: Props) {
  const accounts = useQuery(read('GET /api/admin/user-admin/access', {})).data;
  const saving = useSaveForm({
    initialValues: { members: [] as string[], roles: [memberRole] },
    schema: accessContract.addProjectAccess.body,
    bodyOf: ({ members, roles: granted }) => {
      const idsOf = (kind: string) =>
        members.flatMap((each) =>
          each.startsWith(`${kind} `) ? [Number(each.split(' ')[1])] : [],
        );
      return { roles: granted.map(Number), users: idsOf('user'), groups: idsOf('group') };
    },
    send: async (body) => {
      await api('POST /api/admin/projects/:projectId/access', { params: { projectId }, body });
      return body.users.length + body.groups.length;
    },
    refreshes: accessReads,
    onSaved: (count) => {
      onClose();
      tellDone({
        id: 'members added',
        title: `${plural(count, 'member')} added`,
      });
    },
  });
  const { form } = saving;
  const { members, roles: granted } = form.values;
  const isNew = ({ value }: { readonly value: string }) => !present.has(value);
  const users = (accounts?.users ?? [])
    .map(({ id, name, username, email }) => ({
      value: `user ${id}`,
      label: [name || username, email].filter(Boolean).join(' · ') || `User ${id}`,
    }))
    .filter(isNew);
  const groups = (accounts?.groups ?? [])
    .map(({ id, name, userCount }) => ({
      value: `group ${id}`,
      label: `${name} · ${plural(userCount, 'member')}`,
    }))
    .filter(isNew);
  return (
    <FormDialog
      title="Add members"
      action="Add members"
      size="lg"
      missing={
        members.length === 0
          ? 'Select users or groups'
          : granted.length === 0
            ? 'Select at least one role'
            : undefined
      }
      sending={saving}
      onClose={onClose}
    >
      <MultiSelect
        label="Users and groups"
        placeholder="Search by name or email"
        searchable
        clearable
        data-autofocus
        limit={50}
        data={[
          { group: 'Groups', items: groups },
          { group: 'Users and service accounts', items: users },
        ]}
        nothingFoundMessage="No matching users or groups"
        hidePickedOptions
        {...form.getInputProps('members')}
      />
      <Checkbox.Group label="Roles" {...form.getInputProps('roles')}>
        <Stack gap={8} mt={6}>
          {roles.map(({ id, name, description }) => (
            <Checkbox key={id} value={String(id)} label={name} description={description} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
