import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  Group,
  Modal,
  NativeSelect,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { userAdminContract } from '../../../../src/modules/access/users/user-admin/contract.ts';
import { ApiError, api, type Response } from '../../api.ts';
import { useProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { Choice } from '../../ui/choice.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { nameOfAccount } from '../account-words.ts';
import { adminRole, missingInInvite, type ProjectRole } from './invite-fields.ts';
import { deliveryText } from './link-words.ts';

type RootRole = Response<'GET /api/admin/user-admin'>['rootRoles'][number];

/** The built-in roles Viewer, and Member of a project. */
const viewer = '3';
const member = '5';

/** What the built-in roles mean for a new user. Custom roles have a description. */
const meanings: Readonly<Record<number, string>> = {
  1: 'Full access, including private projects',
  2: 'Create projects and manage features in every open project',
  3: 'Read-only, plus any project roles you grant',
};

interface Props {
  readonly rootRoles: readonly RootRole[];
  readonly onClose: () => void;
}

/** Invites a user with a root role and project roles. */
export function Invite({ rootRoles, onClose }: Props) {
  const nameOfProject = useProjectName();
  const saving = useSaveForm({
    initialValues: {
      name: '',
      email: '',
      username: '',
      withEmail: true,
      rootRole: viewer,
      places: [] as readonly ProjectRole[],
    },
    schema: userAdminContract.createUser.body,
    bodyOf: ({ name, email, username, withEmail, rootRole, places }) => ({
      rootRole: Number(rootRole),
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(withEmail ? { email: email.trim() } : { username: username.trim() }),
      // Admins need none; rows that were added before do not count.
      places: rootRole === adminRole ? [] : places,
    }),
    send: async ({ places, ...body }) => {
      const created = await api('POST /api/admin/user-admin', { body });
      const missed: string[] = [];
      for (const { project, role } of places) {
        try {
          await api('PUT /api/admin/projects/:projectId/users/:userId/roles', {
            params: { projectId: project as string, userId: String(created.id) },
            body: { roles: [Number(role)] },
          });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          missed.push(`${nameOfProject(project as string)}: ${error.message}`);
        }
      }
      return { ...created, missed };
    },
    refreshes: [
      'GET /api/admin/user-admin',
      'GET /api/admin/access/overview',
      'GET /api/admin/projects/:projectId/access',
    ],
  });
  const { form, result: invited } = saving;
  const emailEnabled = useQuery(read('GET /api/admin/ui-config', {})).data?.emailEnabled ?? false;
  const { withEmail, rootRole, places } = form.values;
  if (invited) {
    return (
      <Modal opened onClose={onClose} title={`${nameOfAccount(invited)} invited`} size="lg">
        <Stack>
          <Text size="sm">
            {deliveryText('Invite', 'them', { ...invited, emailEnabled })} They'll use it to set a
            password. It works once, expires in 7 days, and won't be shown again.
          </Text>
          {invited.inviteLink !== undefined && (
            <Copyable text={invited.inviteLink} label="Copy link" testId="invite-link" />
          )}
          {invited.missed.length > 0 && (
            <Alert color="yellow" title="Couldn't grant some roles" role="alert">
              {invited.missed.map((each) => (
                <Text key={each} size="sm">
                  {each}
                </Text>
              ))}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              Done
            </Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <FormDialog
      title="Invite user"
      action="Invite user"
      size="lg"
      missing={missingInInvite(form.values)}
      sending={saving}
      onClose={onClose}
    >
      <TextInput label="Name" maxLength={255} data-autofocus {...form.getInputProps('name')} />
      {withEmail ? (
        <TextInput
          label="Email"
          description={
            emailEnabled ? null : "This server can't send emails. You'll get a link to share."
          }
          type="email"
          maxLength={254}
          {...form.getInputProps('email')}
        />
      ) : (
        <TextInput label="Username" maxLength={255} {...form.getInputProps('username')} />
      )}
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="start"
        onClick={() => form.setFieldValue('withEmail', !withEmail)}
      >
        {withEmail ? 'Invite without email' : 'Invite with email'}
      </Anchor>
      <Choice
        label="Root role"
        {...form.getInputProps('rootRole')}
        options={rootRoles
          .toSorted((one, two) => (one.id <= 3 && two.id <= 3 ? two.id - one.id : one.id - two.id))
          .map((role) => ({
            value: String(role.id),
            label: role.name,
            meaning: meanings[role.id] ?? role.description,
          }))}
      />
      {rootRole !== adminRole && (
        <Places places={places} onChange={(next) => form.setFieldValue('places', next)} />
      )}
    </FormDialog>
  );
}

interface PlacesProps {
  readonly places: readonly ProjectRole[];
  readonly onChange: (places: readonly ProjectRole[]) => void;
}

/** The projects in which the user gets a role at once. */
function Places({ places, onChange }: PlacesProps) {
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const roles = (useQuery(read('GET /api/admin/roles', {})).data?.roles ?? []).filter(
    ({ type }) => type === 'project' || type === 'custom',
  );
  const taken = new Set(places.map(({ project }) => project));
  const set = (index: number, next: Partial<ProjectRole>) =>
    onChange(places.map((place, at) => (at === index ? { ...place, ...next } : place)));
  return (
    <div>
      <Text size="sm" fw={500} mb={6}>
        Project roles
      </Text>
      <Stack gap="xs">
        {places.map((place, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else while they are empty
          <Group key={index} gap="xs" wrap="nowrap">
            <Select
              flex={1}
              searchable
              aria-label={`Project ${index + 1}`}
              placeholder="Project"
              value={place.project}
              onChange={(project) => set(index, { project })}
              data={projects
                .filter(({ id }) => id === place.project || !taken.has(id))
                .map(({ id, name }) => ({ value: id, label: name }))}
            />
            <NativeSelect
              w={150}
              aria-label={`Role in project ${index + 1}`}
              value={place.role}
              onChange={({ currentTarget }) => set(index, { role: currentTarget.value })}
              data={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove project ${index + 1}`}
              onClick={() => onChange(places.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...places, { project: null, role: member }])}
          >
            Add project
          </Button>
        </Group>
      </Stack>
    </div>
  );
}
