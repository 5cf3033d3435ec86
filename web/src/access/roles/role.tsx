import {
  Alert,
  Badge,
  Checkbox,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconCheck, IconMinus, IconTrash } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { contract } from '../../../../src/modules/access/roles/contract.ts';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { DeleteConfirm } from '../../ui/delete-confirm.tsx';
import { useDraftForm } from '../../ui/draft-form.ts';
import { plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import classes from '../admin.module.css';
import { Section } from '../section.tsx';
import { Holders, useDeleteRefusal } from './holders.tsx';
import { grouped, permissionNotes } from './permission-groups.ts';
import {
  type Catalogue,
  compared,
  isBuiltIn,
  isOfProject,
  keyOf,
  keysOf,
  permissionOf,
  type RoleWithPermissions,
  textChange,
  toggled,
  withoutPermissions,
} from './role-draft.ts';

const route = getRouteApi('/shell/admin/roles/$roleId');

/** One role: its permissions, who has it, and how it differs from another. */
export function RolePage() {
  const refusal = useRefusal('READ_ROLE');
  if (refusal !== undefined) {
    return (
      <Page title="Role" refusal={refusal}>
        {null}
      </Page>
    );
  }
  return <Found />;
}

function Found() {
  const { roleId } = route.useParams();
  const role = useSuspenseQuery(read('GET /api/admin/roles/:roleId', { params: { roleId } })).data;
  const navigate = route.useNavigate();
  const mayNotChange = useRefusal('ADMIN');
  const mayNotDelete = useDeleteRefusal(role);
  const [isDeleting, setDeleting] = useState(false);
  const isFixed = isBuiltIn(role) || mayNotChange !== undefined;
  return (
    <Stack gap="xs">
      <PageLink to="/admin/roles" size="sm">
        Roles
      </PageLink>
      <Page
        title={role.name}
        lead={
          <Group gap="xs">
            {isBuiltIn(role) && (
              <Badge size="sm" variant="outline" color="gray" tt="none">
                Built-in
              </Badge>
            )}
            {role.description || (isOfProject(role) ? 'Project role' : 'Root role')}
          </Group>
        }
        action={
          !isBuiltIn(role) && (
            <GuardedButton
              refusal={mayNotChange ?? mayNotDelete}
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setDeleting(true)}
            >
              Delete role
            </GuardedButton>
          )
        }
      >
        <Compare role={role} />
        {isFixed ? <Allowed role={role} /> : <Editor key={role.id} role={role} />}
        <Holders role={role} />
      </Page>
      {isDeleting && (
        <DeleteConfirm
          kind="role"
          name={role.name}
          onClose={() => setDeleting(false)}
          onDelete={async () => {
            await api('DELETE /api/admin/roles/:roleId', { params: { roleId } });
            await invalidate('GET /api/admin/roles');
            void navigate({ to: '/admin/roles', search: {} });
          }}
        >
          It isn't assigned to anyone.
        </DeleteConfirm>
      )}
    </Stack>
  );
}

/** The permissions of a role, to read. */
function Allowed({ role }: { readonly role: RoleWithPermissions }) {
  return (
    <section aria-label="Permissions">
      <Title order={2} size="h4" mb="xs">
        Permissions
      </Title>
      {role.permissions.length === 0 ? (
        <Text size="sm" className={`card ${classes.permissionGroup}`}>
          {withoutPermissions(role)}
        </Text>
      ) : (
        <div className={classes.permissionGroups}>
          {grouped(role.permissions).map(([group, permissions]) => (
            <div key={group} className={`card ${classes.permissionGroup}`}>
              <Title order={3} size="h6" mb={8}>
                {group}
              </Title>
              <ul className={classes.permissionList}>
                {permissions.map(({ name, displayName, environment }) => (
                  <li key={keyOf(name, environment)}>
                    <Text size="sm" title={name}>
                      {displayName}
                      {environment !== undefined && ` in ${environment}`}
                    </Text>
                    <Text size="xs" className="quiet">
                      {permissionNotes[name]}
                    </Text>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

const wordsOf = (key: string, catalogue: Catalogue): string => {
  const { name, environment } = permissionOf(key);
  const all = [...catalogue.root, ...catalogue.project, ...ofEnvironments(catalogue)];
  const words = all.find((permission) => permission.name === name)?.displayName ?? name;
  return environment === undefined ? words : `${words} in ${environment}`;
};

const ofEnvironments = ({ environments }: Catalogue) => environments[0]?.permissions ?? [];

/** Edits a role. Changes are collected until they are saved. */
function Editor({ role }: { readonly role: RoleWithPermissions }) {
  const catalogue = useSuspenseQuery(read('GET /api/admin/permissions', {})).data.permissions;
  const draft = useDraftForm({
    saved: { name: role.name, description: role.description, permissions: keysOf(role) },
    schema: contract.updateRole.body,
    fields: ['name', 'description'],
    bodyOf: ({ name, description, permissions }) => ({
      name: name.trim(),
      description,
      permissions: permissions.map(permissionOf),
    }),
    send: (body) =>
      api('PUT /api/admin/roles/:roleId', { params: { roleId: String(role.id) }, body }),
    refreshes: ['GET /api/admin/roles', 'GET /api/admin/roles/:roleId'],
    onSaved: ({ roles }) => tellDone({ id: `role ${role.id}`, title: `Role ${roles.name} saved` }),
  });
  const { values, changed, set } = draft;
  const before = new Set(keysOf(role));
  const now = new Set(values.permissions);
  const changes = [
    ...(changed.includes('name') ? [textChange('name', role.name, values.name)] : []),
    ...(changed.includes('description')
      ? [textChange('description', role.description, values.description)]
      : []),
    ...[...now].filter((key) => !before.has(key)).map((key) => `+ ${wordsOf(key, catalogue)}`),
    ...[...before].filter((key) => !now.has(key)).map((key) => `− ${wordsOf(key, catalogue)}`),
  ];
  const tick = (key: string, wanted: boolean) =>
    set('permissions', toggled(values.permissions, key, wanted));
  const listed = isOfProject(role)
    ? catalogue.project
    : [...catalogue.root.filter(({ name }) => name !== 'ADMIN'), ...catalogue.project];
  return (
    <>
      <Section title="Details">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Name" maxLength={100} {...draft.textProps('name')} />
          <TextInput label="Description" maxLength={1000} {...draft.textProps('description')} />
        </SimpleGrid>
      </Section>
      <section aria-label="Permissions">
        <Title order={2} size="h4">
          Permissions
        </Title>
        <Text size="sm" className="quiet" mb="xs">
          {isOfProject(role)
            ? 'These apply in the project where the role is granted.'
            : 'Project permissions apply in every open project.'}
        </Text>
        <div className={classes.permissionGroups}>
          {grouped(listed).map(([group, permissions]) => (
            <div key={group} className={`card ${classes.permissionGroup}`}>
              <Title order={3} size="h6" mb={8}>
                {group}
              </Title>
              <Stack gap={10}>
                {permissions.map(({ name, displayName }) => (
                  <Checkbox
                    key={name}
                    label={displayName}
                    description={permissionNotes[name]}
                    checked={now.has(name)}
                    onChange={({ currentTarget }) => tick(name, currentTarget.checked)}
                  />
                ))}
              </Stack>
            </div>
          ))}
        </div>
      </section>
      <InEnvironments catalogue={catalogue} held={now} onTick={tick} />
      {draft.error && (
        <Alert color="red" role="alert">
          {draft.error.message}
        </Alert>
      )}
      <SaveBar
        changes={changes}
        isSaving={draft.isPending}
        onSave={draft.save}
        onDiscard={draft.discard}
        {...(values.name.trim() === '' && { problem: 'Enter a name' })}
      />
    </>
  );
}

interface InEnvironmentsProps {
  readonly catalogue: Catalogue;
  readonly held: ReadonlySet<string>;
  readonly onTick: (key: string, wanted: boolean) => void;
}

/** Permissions that can be granted per environment: a column for each, after one for all. */
function InEnvironments({ catalogue, held, onTick }: InEnvironmentsProps) {
  const names = catalogue.environments.map(({ name }) => name);
  return (
    <section aria-label="Environment permissions">
      <Title order={2} size="h4">
        Environment permissions
      </Title>
      <Text size="sm" className="quiet" mb="xs">
        “All environments” includes ones added later.
      </Text>
      <div className={`card ${classes.frame}`}>
        <Table verticalSpacing={8} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Permission</Table.Th>
              <Table.Th>All environments</Table.Th>
              {names.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ofEnvironments(catalogue).map(({ name, displayName }) => (
              <Table.Tr key={name}>
                <Table.Td miw={200}>
                  <Text size="sm">{displayName}</Text>
                  <Text size="xs" className="quiet">
                    {permissionNotes[name]}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Checkbox
                    aria-label={`${displayName} in all environments`}
                    checked={held.has(name)}
                    onChange={({ currentTarget }) => onTick(name, currentTarget.checked)}
                  />
                </Table.Td>
                {names.map((environment) => (
                  <Table.Td key={environment}>
                    <Checkbox
                      aria-label={`${displayName} in ${environment}`}
                      disabled={held.has(name)}
                      checked={held.has(name) || held.has(keyOf(name, environment))}
                      onChange={({ currentTarget }) =>
                        onTick(keyOf(name, environment), currentTarget.checked)
                      }
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  );
}

const Mark = ({ has }: { readonly has: boolean }) => (
  <>
    {has ? (
      <IconCheck size={16} aria-hidden className={classes.mark} />
    ) : (
      <IconMinus size={16} aria-hidden className={classes.mark} />
    )}
    <VisuallyHidden>{has ? 'Granted' : 'Not granted'}</VisuallyHidden>
  </>
);

function Compare({ role }: { readonly role: RoleWithPermissions }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { roles } = useSuspenseQuery(read('GET /api/admin/roles', {})).data;
  const other = useQuery({
    ...read('GET /api/admin/roles/:roleId', { params: { roleId: String(search.compare ?? 0) } }),
    enabled: search.compare !== undefined,
  }).data;
  const rows = other ? compared(role, other) : [];
  const different = rows.filter(({ inOne, inOther }) => inOne !== inOther);
  const shown = search.all ? rows : different;
  return (
    <Stack component="section" gap="sm" aria-label="Compare roles">
      <Group gap="sm">
        <Select
          aria-label="Compare with"
          placeholder="Compare with another role"
          clearable
          searchable
          w={260}
          value={search.compare === undefined ? null : String(search.compare)}
          onChange={(value) =>
            void navigate({
              search: value === null ? {} : { ...search, compare: Number(value) },
              replace: true,
            })
          }
          data={roles
            .filter(({ id }) => id !== role.id)
            .map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        {other && (
          <Checkbox
            label="Show shared permissions"
            checked={search.all === true}
            onChange={({ currentTarget: { checked } }) =>
              void navigate({
                search: ({ all: _, ...before }) => ({ ...before, ...(checked && { all: true }) }),
                replace: true,
              })
            }
          />
        )}
      </Group>
      {other && (
        <div className={`card ${classes.frame}`}>
          <Table verticalSpacing={6} horizontalSpacing="md" captionSide="top">
            <Table.Caption>
              {different.length === 0
                ? `${role.name} and ${other.name} have the same permissions`
                : `${plural(different.length, 'difference')} between ${role.name} and ${other.name}`}
            </Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Permission</Table.Th>
                <Table.Th>{role.name}</Table.Th>
                <Table.Th>{other.name}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map(({ key, displayName, environment, inOne, inOther }) => (
                <Table.Tr key={key}>
                  <Table.Td>
                    <Text size="sm" title={permissionOf(key).name}>
                      {displayName}
                      {environment !== undefined && ` in ${environment}`}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Mark has={inOne} />
                  </Table.Td>
                  <Table.Td>
                    <Mark has={inOther} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Stack>
  );
}
