import { Alert, Group, MultiSelect, Radio, Select, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { read } from '../../../queries.ts';
import { plural } from '../../../ui/format.ts';
import { GuardedButton } from '../../../ui/guarded.tsx';
import { tellDone } from '../../../ui/notices.tsx';
import { saveJson } from '../../../ui/save-file.ts';

type Scope = 'project' | 'features' | 'tag';

/** Exports all features of a project, some of them, or those with a tag. */
export function ExportFeatures({ projectId }: { readonly projectId: string }) {
  const environments =
    useQuery(read('GET /api/admin/environments/project/:projectId', { params: { projectId } })).data
      ?.environments ?? [];
  const tags = useQuery(read('GET /api/admin/tags', {})).data?.tags ?? [];
  const [chosenEnvironment, setEnvironment] = useState<string | null>(null);
  const [scope, setScope] = useState<Scope>('project');
  const [features, setFeatures] = useState<readonly string[]>([]);
  const [tag, setTag] = useState<string | null>(null);
  const [text, setText] = useState('');
  const found = useQuery({
    ...read('GET /api/admin/search/features', {
      query: { project: `IS:${projectId}`, query: text, limit: '50', sortBy: 'name' },
    }),
    placeholderData: keepPreviousData,
    enabled: scope === 'features',
  }).data;
  const environment = chosenEnvironment ?? environments.at(-1)?.name ?? null;
  const run = useMutation({
    mutationFn: () =>
      api('POST /api/admin/features-batch/export', {
        body: {
          environment: environment ?? '',
          ...(scope === 'project' && { project: projectId }),
          ...(scope === 'features' && { features: [...features] }),
          ...(scope === 'tag' && tag !== null && { tag }),
        },
      }),
    onSuccess: (document) => {
      const day = new Date().toISOString().slice(0, 10);
      saveJson(`${projectId}-${environment}-${day}.json`, JSON.stringify(document, null, 2));
      tellDone({
        id: 'export',
        title: `${plural(document.features.length, 'feature')} exported from ${environment}`,
      });
    },
  });
  const problem =
    environment === null
      ? 'Select an environment'
      : scope === 'features' && features.length === 0
        ? 'Select features first'
        : scope === 'tag' && tag === null
          ? 'Select a tag'
          : undefined;
  return (
    <Stack>
      <Select
        label="Environment"
        description="Strategies, variants, and enabled states come from this environment."
        allowDeselect={false}
        data={environments.map(({ name }) => name)}
        value={environment}
        onChange={setEnvironment}
      />
      <Radio.Group
        label="Features to export"
        value={scope}
        onChange={(value) => setScope(value as Scope)}
      >
        <Group mt={6}>
          <Radio value="project" label="All in this project" />
          <Radio value="features" label="Selected features" />
          <Radio value="tag" label="By tag, in all projects" />
        </Group>
      </Radio.Group>
      {scope === 'features' && (
        <MultiSelect
          label="Features"
          placeholder="Search by name"
          searchable
          clearable
          searchValue={text}
          onSearchChange={setText}
          data={[...new Set([...features, ...(found?.features ?? []).map(({ name }) => name)])]}
          filter={({ options }) => options}
          value={[...features]}
          onChange={setFeatures}
          nothingFoundMessage="No matching features"
        />
      )}
      {scope === 'tag' && (
        <Select
          label="Tag"
          searchable
          data={tags.map(({ type, value }) => `${type}:${value}`)}
          value={tag}
          onChange={setTag}
          nothingFoundMessage="No matching tags"
        />
      )}
      {run.isError && (
        <Alert color="red" role="alert">
          {run.error.message}
        </Alert>
      )}
      <Group>
        <GuardedButton
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={run.isPending}
          refusal={problem}
          onClick={() => run.mutate()}
        >
          Export
        </GuardedButton>
      </Group>
    </Stack>
  );
}
