import {
  Alert,
  Button,
  Checkbox,
  Collapse,
  Drawer,
  Group,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createContract } from '../../../../src/modules/catalogue/projects/create/contract.ts';
import { slugOf } from '../../../../src/modules/catalogue/projects/create/slug.ts';
import { ApiError, api } from '../../api.ts';
import { read } from '../../queries.ts';
import { fieldFault } from '../../ui/faults.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { immutableHint } from '../uses/words.ts';
import type { ListedProject } from './list-search.ts';
import { ModeChoice } from './mode-choice.tsx';
import { NamingFields, noNaming, useNamingFaults } from './naming-fields.tsx';

/** After this pause in typing, the server checks whether an ID is available. */
const pauseMs = 250;

/** Whether an ID is available, as far as it is known yet. */
function useIdState(id: string): { readonly fault?: string; readonly isFree: boolean } {
  const [asked] = useDebouncedValue(id, pauseMs);
  const answer = useQuery({
    queryKey: ['POST /api/admin/projects/validate', asked],
    // It answers with nothing, and a query needs something.
    queryFn: () =>
      api('POST /api/admin/projects/validate', { body: { id: asked } }).then(() => true),
    enabled: asked !== '',
    retry: false,
    staleTime: 0,
  });
  if (asked !== id || id === '') return { isFree: false };
  const { error } = answer;
  if (error instanceof ApiError && error.status < 500) {
    return { fault: fieldFault(error, 'id') ?? error.message, isFree: false };
  }
  return { isFree: answer.isSuccess };
}

const idOf = (typed: string, name: string): string =>
  typed || (name.trim() === '' ? '' : slugOf(name));

/** A form for a new project, beside the list. */
export function CreateProject({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const [hasNaming, setHasNaming] = useState(false);
  const saving = useSaveForm({
    initialValues: {
      name: '',
      /** Empty until it is typed: it follows from the name. */
      id: '',
      description: '',
      mode: 'open' as ListedProject['mode'],
      /** Undefined until some are chosen: the environments that new projects get. */
      environments: undefined as string[] | undefined,
      featureNaming: noNaming,
    },
    schema: createContract.createProject.body,
    bodyOf: ({ id, name, description, mode, environments: chosen, featureNaming }) => ({
      id: idOf(id, name),
      name: name.trim(),
      mode,
      ...(description !== '' && { description }),
      ...(chosen && { environments: chosen }),
      ...(featureNaming.pattern !== '' && { featureNaming }),
    }),
    send: (body) => api('POST /api/admin/projects', { body }),
    refreshes: ['GET /api/admin/projects', 'GET /api/admin/user'],
    onSaved: async (project) => {
      tellDone({ id: `project ${project.id}`, title: `Project ${project.name} created` });
      await navigate({ to: '/projects/$projectId', params: { projectId: project.id } });
    },
  });
  const { form } = saving;
  const { name, mode, featureNaming } = form.values;
  const id = idOf(form.values.id, name);
  const idState = useIdState(id);
  const namingFaults = useNamingFaults(featureNaming);
  const inUse =
    form.values.environments ??
    environments.filter(({ enabled }) => enabled).map((environment) => environment.name);
  const problem =
    id === '' || !saving.isReady
      ? 'Enter a name'
      : (idState.fault ?? namingFaults.pattern ?? namingFaults.example);
  const Chevron = hasNaming ? IconChevronDown : IconChevronRight;

  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title="New project"
      transitionProps={{ duration: 100 }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === undefined) saving.mutate();
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Project ID"
            description={
              idState.isFree
                ? immutableHint(`Available at /projects/${id}`)
                : immutableHint('Used in URLs and API tokens')
            }
            value={id}
            maxLength={100}
            spellCheck={false}
            autoCapitalize="none"
            error={idState.fault ?? form.errors.id}
            onChange={({ currentTarget }) => form.setFieldValue('id', currentTarget.value)}
          />
          <Textarea
            label="Description"
            placeholder="What this project is for"
            autosize
            minRows={2}
            {...form.getInputProps('description')}
          />
          <ModeChoice mode={mode} onChange={(next) => form.setFieldValue('mode', next)} />
          <Checkbox.Group
            label="Environments"
            description="Where features can be enabled. You can change this later."
            value={inUse}
            onChange={(chosen) => form.setFieldValue('environments', chosen)}
          >
            <Group gap="md" mt={8}>
              {environments.map((environment) => (
                <Checkbox
                  key={environment.name}
                  value={environment.name}
                  label={environment.name}
                />
              ))}
            </Group>
          </Checkbox.Group>
          <div>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-expanded={hasNaming}
              leftSection={<Chevron size={16} aria-hidden />}
              onClick={() => setHasNaming(!hasNaming)}
            >
              Naming pattern
            </Button>
            <Collapse expanded={hasNaming} mt="xs" transitionDuration={100}>
              <NamingFields
                naming={featureNaming}
                onChange={(naming) => form.setFieldValue('featureNaming', naming)}
              />
            </Collapse>
          </div>
          {saving.error && (
            <Alert color="red" role="alert">
              {saving.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <GuardedButton type="submit" loading={saving.isPending} refusal={problem}>
              Create project
            </GuardedButton>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}
