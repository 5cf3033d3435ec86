import {
  Alert,
  Button,
  Group,
  Modal,
  MultiSelect,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { otherFault } from '../../ui/faults.ts';
import { TextField } from '../../ui/text-field.tsx';
import classes from '../admin.module.css';
import { expiryOf, terms } from './terms.ts';

const kinds = [
  {
    value: 'client',
    label: 'A server',
    meaning:
      'Backend token. The SDK gets all features of an environment and evaluates them itself. Keep it secret.',
  },
  {
    value: 'frontend',
    label: 'A browser or a phone',
    meaning: 'Frontend token. The server evaluates for one context. It may be seen by users.',
  },
  {
    value: 'admin',
    label: 'A script that changes things',
    meaning:
      'Admin token. It may do everything, and is shown once. A service account with a narrow role is safer.',
  },
];

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (token: Response<'POST /api/admin/api-tokens'>) => void;
}

/** What a token is for comes first; the rest follows from it. */
export function CreateApiToken({ onClose, onCreated }: Props) {
  const isNoAdministrator = useRefusal('ADMIN');
  const refusals: Readonly<Record<string, string | undefined>> = {
    client: useRefusal('CREATE_CLIENT_API_TOKEN'),
    frontend: useRefusal('CREATE_FRONTEND_API_TOKEN'),
    admin: isNoAdministrator,
  };
  const environments =
    useQuery(read('GET /api/admin/environments', {})).data?.environments.filter(
      ({ enabled }) => enabled,
    ) ?? [];
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const [type, setType] = useState(
    kinds.find(({ value }) => refusals[value] === undefined)?.value ?? 'client',
  );
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [inProjects, setInProjects] = useState<string[]>([]);
  const [term, setTerm] = useState('never');
  const environment = chosen ?? environments[0]?.name ?? null;
  const isAdmin = type === 'admin';
  const needsProject = !isAdmin && isNoAdministrator !== undefined && inProjects.length === 0;
  const create = useMutation({
    mutationFn: () =>
      api('POST /api/admin/api-tokens', {
        body: {
          tokenName: name.trim(),
          type,
          ...(!isAdmin && {
            projects: inProjects.length === 0 ? ['*'] : inProjects,
            ...(environment !== null && { environment }),
          }),
          expiresAt: expiryOf(term),
        },
      }),
    onSuccess: async (token) => {
      await invalidate(
        'GET /api/admin/api-tokens',
        'GET /api/admin/projects/:projectId/api-tokens',
      );
      onCreated(token);
    },
  });
  const other = otherFault(create.error, ['tokenName']);
  return (
    <Modal opened onClose={onClose} title="New token" size="lg" transitionProps={{ duration: 100 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '' && !needsProject) create.mutate();
        }}
      >
        <Stack>
          <Radio.Group label="What will use it?" value={type} onChange={setType}>
            <Stack gap={8} mt={6}>
              {kinds.map(({ value, label, meaning }) => (
                <Radio.Card
                  key={value}
                  value={value}
                  disabled={refusals[value] !== undefined}
                  className={classes.choice}
                  aria-label={`${label}. ${refusals[value] ?? meaning}`}
                >
                  <Group wrap="nowrap" align="start" gap="sm">
                    <Radio.Indicator disabled={refusals[value] !== undefined} />
                    <div>
                      <Text size="sm" fw={600}>
                        {label}
                      </Text>
                      <Text size="sm" className="quiet">
                        {refusals[value] ?? meaning}
                      </Text>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
          <TextField
            name="tokenName"
            label="Name"
            description={
              isAdmin
                ? 'The log names it: what the script does stands there under this name.'
                : 'The application, such as shop-backend.'
            }
            required
            maxLength={255}
            data-autofocus
            value={name}
            refused={create.error}
            onChange={setName}
          />
          {!isAdmin && (
            <MultiSelect
              label="Projects"
              description={
                isNoAdministrator === undefined
                  ? 'Leave it empty for all projects, also those that come later.'
                  : 'Only administrators create tokens for all projects.'
              }
              placeholder={
                inProjects.length > 0
                  ? ''
                  : isNoAdministrator === undefined
                    ? 'All projects'
                    : 'Choose projects'
              }
              searchable
              value={inProjects}
              onChange={setInProjects}
              comboboxProps={{ transitionProps: { duration: 100 } }}
              data={projects.map((project) => ({ value: project.id, label: project.name }))}
            />
          )}
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {!isAdmin && (
              <Select
                label="Environment"
                allowDeselect={false}
                data={environments.map((each) => each.name)}
                value={environment}
                onChange={setChosen}
              />
            )}
            <Select
              label="Works for"
              allowDeselect={false}
              data={terms}
              value={term}
              onChange={(value) => setTerm(value ?? 'never')}
            />
          </SimpleGrid>
          {other !== undefined && (
            <Alert color="red" role="alert">
              {other}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={create.isPending}
              disabled={name.trim() === '' || needsProject}
            >
              Create token
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
