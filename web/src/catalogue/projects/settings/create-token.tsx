import { Alert, Button, Group, Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Response } from '../../../api.ts';
import { invalidate, read } from '../../../queries.ts';
import classes from '../projects.module.css';

type Created = Response<'POST /api/admin/projects/:projectId/api-tokens'>;

const kinds = [
  {
    value: 'client',
    label: 'Backend',
    meaning: 'For servers. The SDK gets all features and evaluates them itself. Keep it secret.',
  },
  {
    value: 'frontend',
    label: 'Frontend',
    meaning: 'For browsers and phones. The server evaluates for one context. It may be seen.',
  },
];

const terms = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

interface Props {
  readonly projectId: string;
  readonly onClose: () => void;
  readonly onCreated: (token: Created) => void;
}

/** A form for a new token of a project. */
export function CreateToken({ projectId, onClose, onCreated }: Props) {
  const environments =
    useQuery(read('GET /api/admin/environments/project/:projectId', { params: { projectId } })).data
      ?.environments ?? [];
  const [name, setName] = useState('');
  const [type, setType] = useState('client');
  const [chosen, setChosen] = useState<string | null>(null);
  const [term, setTerm] = useState('never');
  const environment = chosen ?? environments[0]?.name ?? null;
  const create = useMutation({
    mutationFn: () =>
      api('POST /api/admin/projects/:projectId/api-tokens', {
        params: { projectId },
        body: {
          tokenName: name.trim(),
          type,
          projects: [projectId],
          ...(environment !== null && { environment }),
          ...(term !== 'never' && {
            expiresAt: new Date(Date.now() + Number(term) * 86_400_000).toISOString(),
          }),
        },
      }),
    onSuccess: async (token) => {
      await invalidate(
        'GET /api/admin/projects/:projectId/api-tokens',
        'GET /api/admin/environments/project/:projectId',
      );
      onCreated(token);
    },
  });
  return (
    <Modal opened onClose={onClose} title="New token" size="lg" transitionProps={{ duration: 100 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') create.mutate();
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="The application that will use it, such as shop-backend."
            required
            maxLength={255}
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Radio.Group label="Kind" value={type} onChange={setType}>
            <Stack gap={8} mt={6}>
              {kinds.map(({ value, label, meaning }) => (
                <Radio.Card
                  key={value}
                  value={value}
                  className={classes.choice}
                  aria-label={`${label}. ${meaning}`}
                >
                  <Group wrap="nowrap" align="start" gap="sm">
                    <Radio.Indicator />
                    <div>
                      <Text size="sm" fw={600}>
                        {label}
                      </Text>
                      <Text size="sm" className="quiet">
                        {meaning}
                      </Text>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
          <Group grow align="start">
            <Select
              label="Environment"
              allowDeselect={false}
              data={environments.map((each) => each.name)}
              value={environment}
              onChange={setChosen}
            />
            <Select
              label="Expires"
              allowDeselect={false}
              data={terms}
              value={term}
              onChange={(value) => setTerm(value ?? 'never')}
            />
          </Group>
          {create.isError && (
            <Alert color="red" role="alert">
              {create.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
              Create token
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
