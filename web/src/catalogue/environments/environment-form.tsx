import { Autocomplete, MultiSelect, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { faultAt } from '../../ui/faults.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useUses } from '../uses/uses.tsx';
import type { Environment } from './environments.tsx';

const types = ['development', 'test', 'pre-production', 'production'];

const refresh = () =>
  invalidate('GET /api/admin/environments', 'GET /api/admin/environments/project/:projectId');

function useClose() {
  const navigate = useNavigate();
  return () => void navigate({ to: '/environments', search: true });
}

interface NameProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly error: Error | null;
}

const NameField = ({ value, onChange, error }: NameProps) => (
  <TextField
    name="name"
    label="Name"
    description="It stands in addresses and tokens, and never changes."
    placeholder="staging"
    required
    maxLength={100}
    data-autofocus
    value={value}
    refused={error}
    onChange={onChange}
  />
);

const TypeField = ({ value, onChange, error }: NameProps) => (
  <Autocomplete
    label="Type"
    description="In environments of the type production, switches ask first."
    required
    maxLength={100}
    data={types}
    value={value}
    error={faultAt(error, 'type')}
    onChange={onChange}
  />
);

export function CreateEnvironment() {
  const close = useClose();
  const refusal = useRefusal('ADMIN');
  const { environments } = useSuspenseQuery(read('GET /api/admin/environments', {})).data;
  const [name, setName] = useState('');
  const [type, setType] = useState('development');
  const [enabled, setEnabled] = useState(true);
  const last = Math.max(0, ...environments.map(({ sortOrder }) => sortOrder));
  const save = useMutation({
    mutationFn: () =>
      api('POST /api/admin/environments', {
        body: {
          name: name.trim(),
          type: type.trim(),
          enabled,
          sortOrder: Math.min(last + 100, 2_147_483_647),
        },
      }),
    onSuccess: async () => {
      await refresh();
      close();
      tellDone({
        id: `environment ${name}`,
        title: `${name.trim()} is there. Projects add it in their settings`,
      });
    },
  });
  return (
    <FormDialog
      title="New environment"
      action="Create environment"
      refusal={refusal}
      isReady={name.trim() !== '' && type.trim() !== ''}
      sending={save}
      fields={['name', 'type']}
      onClose={close}
    >
      <NameField value={name} onChange={setName} error={save.error} />
      <TypeField value={type} onChange={setType} error={save.error} />
      <Switch
        label="New projects get it"
        checked={enabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      <Text size="sm" className="quiet">
        Projects that exist do not have it until they add it. To begin with the features of another
        environment, clone that one instead.
      </Text>
    </FormDialog>
  );
}

function useEnvironment(name: string): Environment | undefined {
  const { environments } = useSuspenseQuery(read('GET /api/admin/environments', {})).data;
  return environments.find((each) => each.name === name);
}

const missing = (name: string) => <Problem error={new Error(`There is no environment ${name}`)} />;

export function EditEnvironment() {
  const { name } = useParams({ from: '/shell/configure/environments/edit/$name' });
  const environment = useEnvironment(name);
  return environment ? <EditForm key={name} environment={environment} /> : missing(name);
}

function EditForm({ environment }: { readonly environment: Environment }) {
  const { name } = environment;
  const close = useClose();
  const mayNot = useRefusal('ADMIN');
  const [type, setType] = useState(environment.type);
  const save = useMutation({
    mutationFn: () =>
      api('PUT /api/admin/environments/update/:name', {
        params: { name },
        body: { type: type.trim() },
      }),
    onSuccess: async () => {
      await refresh();
      close();
      tellDone({ id: `environment ${name}`, title: `${name} is of the type ${type.trim()}` });
    },
  });
  return (
    <FormDialog
      title={`Change ${name}`}
      action="Save"
      refusal={mayNot ?? (environment.protected ? 'It is protected.' : undefined)}
      isReady={type.trim() !== ''}
      sending={save}
      fields={['type']}
      onClose={close}
    >
      <TypeField value={type} onChange={setType} error={save.error} />
    </FormDialog>
  );
}

export function CloneEnvironment() {
  const { name } = useParams({ from: '/shell/configure/environments/clone/$name' });
  const environment = useEnvironment(name);
  return environment ? <CloneForm key={name} environment={environment} /> : missing(name);
}

function CloneForm({ environment }: { readonly environment: Environment }) {
  const close = useClose();
  const refusal = useRefusal('ADMIN');
  const used = useUses({ kind: 'environment', id: environment.name }).data;
  const all = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const own = all.filter(({ id }) => used?.projects.some((project) => project.id === id));
  const [name, setName] = useState(`${environment.name}-copy`);
  const [type, setType] = useState(environment.type);
  const [projects, setProjects] = useState<string[]>([]);
  const [clonePermissions, setClonePermissions] = useState(true);
  const save = useMutation({
    mutationFn: () =>
      api('POST /api/admin/environments/:name/clone', {
        params: { name: environment.name },
        body: { name: name.trim(), type: type.trim(), projects, clonePermissions },
      }),
    onSuccess: async () => {
      await refresh();
      close();
      tellDone({
        id: `environment ${name}`,
        title: `${name.trim()} is there, with what features have in ${environment.name}`,
      });
    },
  });
  return (
    <FormDialog
      title={`Clone ${environment.name}`}
      action="Clone environment"
      refusal={refusal}
      isReady={name.trim() !== '' && type.trim() !== ''}
      sending={save}
      fields={['name', 'type']}
      onClose={close}
    >
      <NameField value={name} onChange={setName} error={save.error} />
      <TypeField value={type} onChange={setType} error={save.error} />
      <MultiSelect
        label="Projects that get it"
        placeholder={projects.length === 0 ? `All that have ${environment.name}` : ''}
        searchable
        data={own.map((project) => ({ value: project.id, label: project.name }))}
        value={projects}
        onChange={setProjects}
      />
      <Switch
        label="Roles get the same permissions in it"
        checked={clonePermissions}
        onChange={({ currentTarget }) => setClonePermissions(currentTarget.checked)}
      />
      <Text size="sm" className="quiet">
        Strategies, variants and what is on are copied. API tokens are not.
      </Text>
    </FormDialog>
  );
}
