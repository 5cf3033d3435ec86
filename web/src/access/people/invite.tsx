import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Modal,
  NativeSelect,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, type Response } from '../../api.ts';
import { invalidate, read } from '../../queries.ts';
import { otherFault } from '../../ui/faults.ts';
import { TextField } from '../../ui/text-field.tsx';
import { nameOfAccount } from '../account-words.ts';
import classes from '../admin.module.css';
import { Copyable } from '../copyable.tsx';

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
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [username, setUsername] = useState('');
  const [rootRole, setRootRole] = useState(viewer);
  const [places, setPlaces] = useState<readonly ProjectRole[]>([]);
  // An administrator needs none; lines from before another choice do not count.
  const wanted = rootRole === admin ? [] : places;
  const isOpen = wanted.some(({ project }) => project === null);
  const invite = useMutation({
    mutationFn: async () => {
      const created = await api('POST /api/admin/user-admin', {
        body: {
          rootRole: Number(rootRole),
          ...(name.trim() !== '' && { name: name.trim() }),
          ...(email.trim() !== '' && { email: email.trim() }),
          ...(username.trim() !== '' && { username: username.trim() }),
        },
      });
      const missed: string[] = [];
      for (const { project, role } of wanted) {
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
    onSettled: () =>
      invalidate(
        'GET /api/admin/user-admin',
        'GET /api/admin/access/overview',
        'GET /api/admin/projects/:projectId/access',
      ),
  });
  const other = otherFault(invite.error, ['name', 'email', 'username', 'rootRole']);
  if (invite.data) {
    return (
      <Modal opened onClose={onClose} title={`${nameOfAccount(invite.data)} is invited`} size="lg">
        <Stack>
          <Text size="sm">
            {invite.data.emailSent
              ? `The link was sent to ${invite.data.email}. You can also pass it on yourself.`
              : 'Send them this link on a way that only they read.'}{' '}
            With it they choose a password. It works once, within 7 days, and is shown only now.
          </Text>
          {invite.data.inviteLink !== undefined && (
            <Copyable text={invite.data.inviteLink} label="Copy the link" testId="invite-link" />
          )}
          {invite.data.missed.length > 0 && (
            <Alert color="yellow" title="Some roles were not given" role="alert">
              {invite.data.missed.map((each) => (
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
    <Modal opened onClose={onClose} title="Invite somebody" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <Stack>
          <TextField
            name="name"
            label="Name"
            maxLength={255}
            data-autofocus
            value={name}
            refused={invite.error}
            onChange={setName}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextField
              name="email"
              label="E-mail address"
              type="email"
              maxLength={254}
              value={email}
              refused={invite.error}
              onChange={setEmail}
            />
            <TextField
              name="username"
              label="User name"
              description="Only if they have no address"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={255}
              value={username}
              refused={invite.error}
              onChange={setUsername}
            />
          </SimpleGrid>
          <Radio.Group label="Role in the installation" value={rootRole} onChange={setRootRole}>
            <Stack gap={8} mt={6}>
              {rootRoles
                .toSorted((one, two) =>
                  one.id <= 3 && two.id <= 3 ? two.id - one.id : one.id - two.id,
                )
                .map((role) => {
                  const meaning = meanings[role.id] ?? role.description;
                  return (
                    <Radio.Card
                      key={role.id}
                      value={String(role.id)}
                      className={classes.choice}
                      aria-label={`${role.name}. ${meaning}`}
                    >
                      <Group wrap="nowrap" align="start" gap="sm">
                        <Radio.Indicator />
                        <div>
                          <Text size="sm" fw={600}>
                            {role.name}
                          </Text>
                          <Text size="sm" className="quiet">
                            {meaning}
                          </Text>
                        </div>
                      </Group>
                    </Radio.Card>
                  );
                })}
            </Stack>
          </Radio.Group>
          {rootRole !== admin && <Places places={places} onChange={setPlaces} />}
          {other !== undefined && (
            <Alert color="red" role="alert">
              {other}
            </Alert>
          )}
          <Group justify="flex-end">
            {isOpen && (
              <Text size="sm" className="quiet">
                Choose a project, or remove its line.
              </Text>
            )}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={invite.isPending}
              disabled={isOpen || (email.trim() === '' && username.trim() === '')}
            >
              Invite
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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
