import { Badge, Select, Text, TextInput, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { contract } from '../../../../src/modules/access/roles/contract.ts';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { queryClient, read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Row, Rows } from '../../ui/list.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { isBuiltIn, isOfProject, keysOf, permissionOf, type Role } from './role-draft.ts';

const route = getRouteApi('/shell/admin/roles');

/** The roles of users, service accounts and groups. */
export function Roles() {
  const navigate = route.useNavigate();
  const mayNotRead = useRefusal('READ_ROLE');
  const mayNotCreate = useRefusal('ADMIN');
  return (
    <Page
      title="Roles"
      lead="Roles are sets of permissions. Users with several roles get all of their permissions."
      refusal={mayNotRead}
      action={
        <GuardedButton
          refusal={mayNotCreate}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ search: { create: true } })}
        >
          New role
        </GuardedButton>
      }
    >
      <RoleList />
    </Page>
  );
}

const kinds = [
  {
    title: 'Root roles',
    lead: 'Every user has one. Root roles also apply in open projects; protected and private projects use project roles only.',
    includes: (role: Role) => !isOfProject(role),
  },
  {
    title: 'Project roles',
    lead: 'Granted to users and groups by project owners, one project at a time.',
    includes: isOfProject,
  },
];

function RoleList() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { roles } = useSuspenseQuery(read('GET /api/admin/roles', {})).data;
  return (
    <>
      {kinds.map(({ title, lead, includes }) => (
        <section key={title} aria-label={title}>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" className="quiet" mb="xs">
            {lead}
          </Text>
          <Rows>
            {roles.filter(includes).map((role) => (
              <Row
                key={role.id}
                name={role.name}
                title={
                  <PageLink
                    to="/admin/roles/$roleId"
                    params={{ roleId: String(role.id) }}
                    size="sm"
                    fw={600}
                  >
                    {role.name}
                  </PageLink>
                }
                badges={
                  !isBuiltIn(role) && (
                    <Badge size="sm" variant="outline" color="gray" tt="none">
                      Custom
                    </Badge>
                  )
                }
                note={role.description || undefined}
              />
            ))}
          </Rows>
        </section>
      ))}
      {search.create && (
        <CreateRole roles={roles} onClose={() => void navigate({ search: {}, replace: true })} />
      )}
    </>
  );
}

interface CreateProps {
  readonly roles: readonly Role[];
  readonly onClose: () => void;
}

const nothing = 'nothing';

function CreateRole({ roles, onClose }: CreateProps) {
  const navigate = route.useNavigate();
  const saving = useSaveForm({
    initialValues: {
      name: '',
      description: '',
      type: 'custom' as 'custom' | 'root-custom',
      from: nothing,
    },
    schema: contract.createRole.body,
    bodyOf: ({ name, ...rest }) => ({ ...rest, name: name.trim() }),
    send: async ({ from, ...role }) => {
      const model =
        from === nothing
          ? undefined
          : await queryClient.ensureQueryData(
              read('GET /api/admin/roles/:roleId', { params: { roleId: from } }),
            );
      return api('POST /api/admin/roles', {
        body: { ...role, permissions: model ? keysOf(model).map(permissionOf) : [] },
      });
    },
    refreshes: ['GET /api/admin/roles'],
    onSaved: ({ roles: created }) => {
      tellDone({ id: 'role created', title: `Role ${created.name} created` });
      void navigate({
        to: '/admin/roles/$roleId',
        params: { roleId: String(created.id) },
        search: {},
      });
    },
  });
  const { form } = saving;
  const models = roles.filter(
    (role) => isOfProject(role) === (form.values.type === 'custom') && role.name !== 'Admin',
  );
  return (
    <FormDialog title="New role" action="Create role" sending={saving} onClose={onClose}>
      <TextInput
        label="Name"
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label="Description" maxLength={1000} {...form.getInputProps('description')} />
      <Select
        label="Type"
        allowDeselect={false}
        {...form.getInputProps('type')}
        onChange={(value) =>
          form.setValues({ type: value as 'custom' | 'root-custom', from: nothing })
        }
        data={[
          { value: 'custom', label: 'Project role' },
          { value: 'root-custom', label: 'Root role' },
        ]}
      />
      <Select
        label="Copy permissions from"
        allowDeselect={false}
        {...form.getInputProps('from')}
        data={[
          { value: nothing, label: 'None' },
          ...models.map((role) => ({ value: String(role.id), label: role.name })),
        ]}
      />
    </FormDialog>
  );
}
