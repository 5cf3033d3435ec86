import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Modal,
  NativeSelect,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { userAdminContract } from '../../../../src/modules/access/users/user-admin/contract.ts';
import { ApiError, api, type Response } from '../../api.ts';
import { read } from '../../queries.ts';
import { Choice } from '../../ui/choice.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { nameOfAccount } from '../account-words.ts';

type RootRole = Response<'GET /api/admin/user-admin'>['rootRoles'][number];

interface ProjectRole {
  readonly project: string | null;
  readonly role: string;
}

/** The built-in roles for whoever does everything, for whoever reads, and for whoever works on features of a project. */
const admin = '1';
const viewer = '3';
const member = '5';

/** What the built-in roles mean for a newcomer; a role of this installation describes itself. */
const meanings: Readonly<Record<number, string>> = {
  1: 'Does everything, in every project.',
  2: 'Works on features in every open project, and creates projects.',
  3: 'Reads. Changes only what a role in a project allows.',
};

interface Props {
  readonly rootRoles: readonly RootRole[];
  readonly onClose: () => void;
}

/** A form for a new colleague: what they may do in the installation, and in which projects. */
export function Invite({ rootRoles, onClose }: Props) {
  const saving = useSaveForm({
    initialValues: {
      name: '',
      email: '',
      username: '',
      rootRole: viewer,
      places: [] as readonly ProjectRole[],
    },
    schema: userAdminContract.createUser.body,
    bodyOf: ({ name, email, username, rootRole, places }) => ({
      rootRole: Number(rootRole),
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(email.trim() !== '' && { email: email.trim() }),
      ...(username.trim() !== '' && { username: username.trim() }),
      // An administrator needs none; lines from before another choice do not count.
      places: rootRole === admin ? [] : places,
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
          missed.push(`${project}: ${error.message}`);
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
  const { email, username, rootRole, places } = form.values;
  const isOpen = rootRole !== admin && places.some(({ project }) => project === null);
  if (invited) {
    return (
      <Modal opened onClose={onClose} title={`${nameOfAccount(invited)} is invited`} size="lg">
        <Stack>
          <Text size="sm">
            {invited.emailSent
              ? `The link was sent to ${invited.email}. You can also pass it on yourself.`
              : 'Send them this link on a way that only they read.'}{' '}
            With it they choose a password. It works once, within 7 days, and is shown only now.
          </Text>
          {invited.inviteLink !== undefined && (
            <Copyable text={invited.inviteLink} label="Copy the link" testId="invite-link" />
          )}
          {invited.missed.length > 0 && (
            <Alert color="yellow" title="Some roles were not given" role="alert">
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
      action="Invite"
      size="lg"
      isReady={!isOpen && (email.trim() !== '' || username.trim() !== '')}
      sending={saving}
      onClose={onClose}
    >
      <TextInput label="Name" maxLength={255} data-autofocus {...form.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="E-mail address"
          type="email"
          maxLength={254}
          {...form.getInputProps('email')}
        />
        <TextInput
          label="User name"
          description="Only if they have no address"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={255}
          {...form.getInputProps('username')}
        />
      </SimpleGrid>
      <Choice
        label="Role in the installation"
        {...form.getInputProps('rootRole')}
        options={rootRoles
          .toSorted((one, two) => (one.id <= 3 && two.id <= 3 ? two.id - one.id : one.id - two.id))
          .map((role) => ({
            value: String(role.id),
            label: role.name,
            meaning: meanings[role.id] ?? role.description,
          }))}
      />
      {rootRole !== admin && (
        <Places places={places} onChange={(next) => form.setFieldValue('places', next)} />
      )}
      {isOpen && (
        <Text size="sm" className="quiet">
          Choose a project, or remove its line.
        </Text>
      )}
    </FormDialog>
  );
}

interface PlacesProps {
  readonly places: readonly ProjectRole[];
  readonly onChange: (places: readonly ProjectRole[]) => void;
}

/** The projects in which somebody gets a role at once. */
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
        Roles in projects
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
            Add a project
          </Button>
        </Group>
      </Stack>
    </div>
  );
}
