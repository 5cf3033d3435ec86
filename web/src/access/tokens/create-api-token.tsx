import { MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { contract } from '../../../../src/modules/access/api-tokens/contract.ts';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { Choice } from '../../ui/choice.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { expiryOf } from './expires.ts';
import { ExpiresSelect } from './expires-select.tsx';
import type { ApiToken } from './token-table.tsx';

const kinds = [
  {
    value: 'client',
    label: 'Backend SDK (server)',
    meaning:
      'Fetches all features of an environment and evaluates them locally. Keep this token secret.',
  },
  {
    value: 'frontend',
    label: 'Frontend SDK (browser, mobile)',
    meaning: 'Burgee evaluates features for one context. Safe to expose to users.',
  },
  {
    value: 'admin',
    label: 'Admin API (scripts, CI)',
    meaning:
      'Full access, and the secret is shown once. A service account with a limited role is safer.',
  },
];

/** The environments of the project, or all. */
function useEnvironmentNames(projectId: string | undefined): readonly string[] {
  const all = useQuery({
    ...read('GET /api/admin/environments', {}),
    enabled: projectId === undefined,
  }).data?.environments;
  const ofProject = useQuery({
    ...read('GET /api/admin/environments/project/:projectId', {
      params: { projectId: projectId ?? '' },
    }),
    enabled: projectId !== undefined,
  }).data?.environments;
  return ((projectId === undefined ? all : ofProject) ?? []).map(({ name }) => name);
}

interface Props {
  /** The only project of the token. Without it, projects can be chosen. */
  readonly projectId?: string;
  /** What the form begins with. */
  readonly initial?: { readonly type: 'client' | 'frontend'; readonly environment: string };
  readonly onClose: () => void;
  readonly onCreated: (token: ApiToken) => void;
}

/** A new API token, for any projects or for one. */
export function CreateApiToken({ projectId, initial, onClose, onCreated }: Props) {
  const mayNotAdminister = useRefusal('ADMIN');
  const refusals: Readonly<Record<string, string | undefined>> = {
    client: useRefusal('CREATE_CLIENT_API_TOKEN'),
    frontend: useRefusal('CREATE_FRONTEND_API_TOKEN'),
    admin: mayNotAdminister,
  };
  const options =
    projectId === undefined
      ? kinds.map((kind) => ({
          ...kind,
          meaning: refusals[kind.value] ?? kind.meaning,
          disabled: refusals[kind.value] !== undefined,
        }))
      : kinds.filter(({ value }) => value !== 'admin');
  const environments = useEnvironmentNames(projectId);
  const projects =
    useQuery({ ...read('GET /api/admin/projects', {}), enabled: projectId === undefined }).data
      ?.projects ?? [];
  const saving = useSaveForm({
    initialValues: {
      type:
        initial?.type ??
        options.find((option) => !('disabled' in option && option.disabled))?.value ??
        'client',
      tokenName: '',
      environment: initial?.environment ?? '',
      projects: projectId === undefined ? [] : [projectId],
      expires: 'never',
    },
    schema: contract.createApiToken.body,
    bodyOf: ({ type, tokenName, environment, projects: chosen, expires }) => {
      const where = environment || environments[0];
      return {
        tokenName: tokenName.trim(),
        type,
        ...(type !== 'admin' && {
          projects: chosen.length === 0 ? ['*'] : chosen,
          ...(where !== undefined && { environment: where }),
        }),
        expiresAt: expiryOf(expires),
      };
    },
    send: (body) =>
      projectId === undefined
        ? api('POST /api/admin/api-tokens', { body })
        : api('POST /api/admin/projects/:projectId/api-tokens', { params: { projectId }, body }),
    refreshes: [
      'GET /api/admin/api-tokens',
      'GET /api/admin/projects/:projectId/api-tokens',
      'GET /api/admin/environments/project/:projectId',
    ],
    onSaved: onCreated,
  });
  const { form } = saving;
  const { type, environment, projects: chosen } = form.values;
  const isAdmin = type === 'admin';
  const needsProject =
    projectId === undefined && !isAdmin && mayNotAdminister !== undefined && chosen.length === 0;
  return (
    <FormDialog
      title="New API token"
      action="Create token"
      size="lg"
      missing={needsProject ? 'Select at least one project' : undefined}
      sending={saving}
      onClose={onClose}
    >
      <Choice label="Type" options={options} {...form.getInputProps('type')} />
      <TextInput
        label="Name"
        description={
          isAdmin
            ? 'Changes made with this token appear in the event log under this name.'
            : 'The application that will use it, such as shop-backend'
        }
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('tokenName')}
      />
      {projectId === undefined && !isAdmin && (
        <MultiSelect
          label="Projects"
          description={
            mayNotAdminister === undefined
              ? 'Leave empty for all projects, including future ones.'
              : 'Only admins can create tokens for all projects.'
          }
          placeholder={
            chosen.length > 0
              ? ''
              : mayNotAdminister === undefined
                ? 'All projects'
                : 'Select projects'
          }
          searchable
          comboboxProps={{ transitionProps: { duration: 100 } }}
          data={projects.map((project) => ({ value: project.id, label: project.name }))}
          {...form.getInputProps('projects')}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {!isAdmin && (
          <Select
            label="Environment"
            allowDeselect={false}
            data={environments}
            {...form.getInputProps('environment')}
            value={environment || (environments[0] ?? null)}
          />
        )}
        <ExpiresSelect {...form.getInputProps('expires')} />
      </SimpleGrid>
    </FormDialog>
  );
}
