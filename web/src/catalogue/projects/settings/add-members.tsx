import { Checkbox, MultiSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accessContract } from '../../../../../src/modules/access/project-access/contract.ts';
import { api } from '../../../api.ts';
import { read } from '../../../queries.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { plural } from '../../../ui/format.ts';
import { tellDone } from '../../../ui/notices.tsx';
import { useSaveForm } from '../../../ui/save-form.ts';
import { accessReads, type ProjectRole } from './access-reads.ts';

/** The built-in role for whoever works on features. */
const memberRole = '5';

interface Props {
  readonly projectId: string;
  readonly roles: readonly ProjectRole[];
  /** Who has roles already, as `user 3` or `group 1`. */
  readonly present: ReadonlySet<string>;
  readonly onClose: () => void;
}

/** Gives people and groups roles in a project. */
export function AddMembers({ projectId, roles, present, onClose }: Props) {
  const everybody = useQuery(read('GET /api/admin/user-admin/access', {})).data;
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
  const people = (everybody?.users ?? [])
    .map(({ id, name, username, email }) => ({
      value: `user ${id}`,
      label: [name || username, email].filter(Boolean).join(' · ') || `User ${id}`,
    }))
    .filter(isNew);
  const groups = (everybody?.groups ?? [])
    .map(({ id, name, userCount }) => ({
      value: `group ${id}`,
      label: `${name} · ${plural(userCount, 'person', 'people')}`,
    }))
    .filter(isNew);
  return (
    <FormDialog
      title="Add members"
      action="Add"
      size="lg"
      isReady={members.length > 0 && granted.length > 0}
      sending={saving}
      onClose={onClose}
    >
      <MultiSelect
        label="People and groups"
        placeholder="Search by name or e-mail"
        searchable
        clearable
        data-autofocus
        limit={50}
        data={[
          { group: 'Groups', items: groups },
          { group: 'People and service accounts', items: people },
        ]}
        nothingFoundMessage="Nobody has this name"
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
      {granted.length === 0 && (
        <Text size="sm" className="quiet">
          Choose at least one role.
        </Text>
      )}
    </FormDialog>
  );
}
