import {
  Autocomplete,
  type AutocompleteProps,
  MultiSelect,
  Switch,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { contract } from '../../../../src/modules/catalogue/environments/contract.ts';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { notFound } from '../../ui/format.ts';
import { tellDone } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { useUses } from '../uses/uses.tsx';
import type { Environment } from './environments.tsx';

const types = ['development', 'test', 'pre-production', 'production'];

const reads = [
  'GET /api/admin/environments',
  'GET /api/admin/environments/project/:projectId',
] as const;

function useClose() {
  const navigate = useNavigate();
  return () => void navigate({ to: '/environments', search: true });
}

const NameField = (props: TextInputProps) => (
  <TextInput
    label="Name"
    description="It stands in addresses and tokens, and never changes."
    placeholder="staging"
    required
    maxLength={100}
    data-autofocus
    {...props}
  />
);

const TypeField = (props: AutocompleteProps) => (
  <Autocomplete
    label="Type"
    description="In environments of the type production, switches ask first."
    required
    maxLength={100}
    data={types}
    {...props}
  />
);

export function CreateEnvironment() {
  const close = useClose();
  const refusal = useRefusal('ADMIN');
  const { environments } = useSuspenseQuery(read('GET /api/admin/environments', {})).data;
  const last = Math.max(0, ...environments.map(({ sortOrder }) => sortOrder));
  const saving = useSaveForm({
    initialValues: { name: '', type: 'development', enabled: true },
    schema: contract.createEnvironment.body,
    bodyOf: ({ name, type, enabled }) => ({
      name: name.trim(),
      type: type.trim(),
      enabled,
      sortOrder: Math.min(last + 100, 2_147_483_647),
    }),
    send: (body) => api('POST /api/admin/environments', { body }),
    refreshes: reads,
    onSaved: ({ name }) => {
      close();
      tellDone({
        id: `environment ${name}`,
        title: `Environment ${name} created. Existing projects can add it in their settings`,
      });
    },
  });
  const { form } = saving;
  return (
    <FormDialog
      title="New environment"
      action="Create environment"
      refusal={refusal}
      sending={saving}
      onClose={close}
    >
      <NameField {...form.getInputProps('name')} />
      <TypeField {...form.getInputProps('type')} />
      <Switch
        label="New projects get it"
        {...form.getInputProps('enabled', { type: 'checkbox' })}
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

const missing = (name: string) => <Problem error={new Error(notFound('Environment', name))} />;

export function EditEnvironment() {
  const { name } = useParams({ from: '/shell/configure/environments/edit/$name' });
  const environment = useEnvironment(name);
  return environment ? <EditForm key={name} environment={environment} /> : missing(name);
}

function EditForm({ environment }: { readonly environment: Environment }) {
  const { name } = environment;
  const close = useClose();
  const mayNot = useRefusal('ADMIN');
  const saving = useSaveForm({
    initialValues: { type: environment.type },
    schema: contract.updateEnvironment.body,
    bodyOf: ({ type }) => ({ type: type.trim() }),
    send: (body) => api('PUT /api/admin/environments/update/:name', { params: { name }, body }),
    refreshes: reads,
    onSaved: ({ type }) => {
      close();
      tellDone({ id: `environment ${name}`, title: `${name} type changed to ${type}` });
    },
  });
  return (
    <FormDialog
      title={`Change ${name}`}
      action="Save"
      refusal={mayNot ?? (environment.protected ? 'It is protected.' : undefined)}
      sending={saving}
      onClose={close}
    >
      <TypeField {...saving.form.getInputProps('type')} />
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
  const saving = useSaveForm({
    initialValues: {
      name: `${environment.name}-copy`,
      type: environment.type,
      projects: [] as string[],
      clonePermissions: true,
    },
    schema: contract.cloneEnvironment.body,
    bodyOf: ({ name, type, ...rest }) => ({ ...rest, name: name.trim(), type: type.trim() }),
    send: (body) =>
      api('POST /api/admin/environments/:name/clone', { params: { name: environment.name }, body }),
    refreshes: reads,
    onSaved: ({ name }) => {
      close();
      tellDone({
        id: `environment ${name}`,
        title: `Environment ${name} cloned from ${environment.name}`,
      });
    },
  });
  const { form } = saving;
  return (
    <FormDialog
      title={`Clone ${environment.name}`}
      action="Clone environment"
      refusal={refusal}
      sending={saving}
      onClose={close}
    >
      <NameField {...form.getInputProps('name')} />
      <TypeField {...form.getInputProps('type')} />
      <MultiSelect
        label="Projects that get it"
        placeholder={form.values.projects.length === 0 ? `All that have ${environment.name}` : ''}
        searchable
        data={own.map((project) => ({ value: project.id, label: project.name }))}
        {...form.getInputProps('projects')}
      />
      <Switch
        label="Roles get the same permissions in it"
        {...form.getInputProps('clonePermissions', { type: 'checkbox' })}
      />
      <Text size="sm" className="quiet">
        Strategies, variants and what is on are copied. API tokens are not.
      </Text>
    </FormDialog>
  );
}
