import {
  Autocomplete,
  type AutocompleteProps,
  Checkbox,
  type CheckboxProps,
  MultiSelect,
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
import { MissingDialog } from '../../ui/missing-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { useUses } from '../uses/uses.tsx';
import { immutableHint } from '../uses/words.ts';
import { protectedReason, savedText } from './environment-words.ts';
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
    description={immutableHint('Used in URLs and API tokens')}
    placeholder="staging"
    required
    maxLength={100}
    data-autofocus
    {...props}
  />
);

const NewProjectsField = (props: CheckboxProps) => (
  <Checkbox label="Add to new projects" {...props} />
);

const TypeField = (props: AutocompleteProps) => (
  <Autocomplete
    label="Type"
    description="In production environments, Burgee asks before a feature is enabled or disabled, unless its project turns this off."
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
      <NewProjectsField {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <Text size="sm" className="quiet">
        Existing projects don't get it automatically. To start from another environment's
        configuration, clone that environment instead.
      </Text>
    </FormDialog>
  );
}

function useEnvironment(name: string): Environment | undefined {
  const { environments } = useSuspenseQuery(read('GET /api/admin/environments', {})).data;
  return environments.find((each) => each.name === name);
}

const missing = (name: string) => <MissingDialog message={notFound('Environment', name)} />;

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
    initialValues: { type: environment.type, enabled: environment.enabled },
    schema: contract.updateEnvironment.body,
    bodyOf: ({ type, enabled }) => ({ type: type.trim(), enabled }),
    send: async ({ type, enabled }) => {
      if (type !== environment.type) {
        await api('PUT /api/admin/environments/update/:name', { params: { name }, body: { type } });
      }
      if (enabled !== environment.enabled) {
        await (enabled
          ? api('POST /api/admin/environments/:name/on', { params: { name } })
          : api('POST /api/admin/environments/:name/off', { params: { name } }));
      }
      return { name, type, enabled };
    },
    refreshes: reads,
    onSaved: (saved) => {
      close();
      tellDone({ id: `environment ${name}`, title: savedText(environment, saved) });
    },
  });
  return (
    <FormDialog
      title={`Edit ${name}`}
      action="Save"
      refusal={mayNot ?? (environment.protected ? protectedReason : undefined)}
      sending={saving}
      onClose={close}
    >
      <TypeField {...saving.form.getInputProps('type')} />
      <NewProjectsField {...saving.form.getInputProps('enabled', { type: 'checkbox' })} />
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
        label="Add to projects"
        placeholder={
          form.values.projects.length === 0 ? `All projects using ${environment.name}` : ''
        }
        searchable
        data={own.map((project) => ({ value: project.id, label: project.name }))}
        {...form.getInputProps('projects')}
      />
      <Checkbox
        label="Copy role permissions"
        {...form.getInputProps('clonePermissions', { type: 'checkbox' })}
      />
      <Text size="sm" className="quiet">
        Copies strategies, variants, and enabled states. API tokens aren't copied.
      </Text>
    </FormDialog>
  );
}
