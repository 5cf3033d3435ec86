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
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { slugOf } from '../../../../src/modules/catalogue/projects/slug.ts';
import { ApiError, api } from '../../api.ts';
import { invalidate, read } from '../../queries.ts';
import { faultAt, otherFault } from '../../ui/faults.ts';
import { tellDone } from '../../ui/notices.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ListedProject } from './list-search.ts';
import { ModeChoice } from './mode-choice.tsx';
import { NamingFields, noNaming, useNamingFaults } from './naming-fields.tsx';

/** Typing asks after this whether an id is free. */
const pauseMs = 250;

/** Whether an id can be had; undefined while nobody knows. */
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
    return { fault: faultAt(error, 'id') ?? error.message, isFree: false };
  }
  return { isFree: answer.isSuccess };
}

const shownFields = ['id', 'name', 'description', 'featureNaming/pattern', 'featureNaming/example'];

/** A form for a new project, beside the list. */
export function CreateProject({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const [name, setName] = useState('');
  const [givenId, setGivenId] = useState<string>();
  const [description, setDescription] = useState('');
  const [mode, setMode] = useState<ListedProject['mode']>('open');
  const [chosen, setChosen] = useState<readonly string[]>();
  const [naming, setNaming] = useState(noNaming);
  const [hasNaming, setHasNaming] = useState(false);

  const id = givenId ?? (name.trim() === '' ? '' : slugOf(name));
  const idState = useIdState(id);
  const namingFaults = useNamingFaults(naming);
  const isNamingWrong = namingFaults.pattern !== undefined || namingFaults.example !== undefined;
  const inUse =
    chosen ?? environments.filter(({ enabled }) => enabled).map((environment) => environment.name);

  const create = useMutation({
    mutationFn: () =>
      api('POST /api/admin/projects', {
        body: {
          id,
          name: name.trim(),
          mode,
          ...(description !== '' && { description }),
          ...(chosen && { environments: [...chosen] }),
          ...(naming.pattern !== '' && { featureNaming: naming }),
        },
      }),
    onSuccess: async (project) => {
      await invalidate('GET /api/admin/projects', 'GET /api/admin/user');
      tellDone({ id: `project ${project.id}`, title: `${project.name} is there` });
      await navigate({ to: '/projects/$projectId', params: { projectId: project.id } });
    },
  });
  const isReady = name.trim() !== '' && id !== '' && !idState.fault && !isNamingWrong;
  const Chevron = hasNaming ? IconChevronDown : IconChevronRight;
  const problem = otherFault(create.error, shownFields);

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
          if (isReady) create.mutate();
        }}
      >
        <Stack>
          <TextField
            name="name"
            label="Name"
            required
            maxLength={100}
            data-autofocus
            value={name}
            refused={create.error}
            onChange={setName}
          />
          <TextInput
            label="Id"
            description={
              idState.isFree
                ? `Free. Its address will be /projects/${id}, and it never changes.`
                : 'Part of addresses and tokens. It never changes.'
            }
            value={id}
            maxLength={100}
            spellCheck={false}
            autoCapitalize="none"
            error={idState.fault ?? faultAt(create.error, 'id')}
            onChange={({ currentTarget }) => setGivenId(currentTarget.value || undefined)}
          />
          <Textarea
            label="Description"
            placeholder="What belongs here"
            autosize
            minRows={2}
            value={description}
            error={faultAt(create.error, 'description')}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
          <ModeChoice mode={mode} onChange={setMode} />
          <Checkbox.Group
            label="Environments"
            description="Its features can be switched on in these. You can change them later."
            value={[...inUse]}
            onChange={setChosen}
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
              Names of features
            </Button>
            <Collapse expanded={hasNaming} mt="xs" transitionDuration={100}>
              <NamingFields naming={naming} onChange={setNaming} />
            </Collapse>
          </div>
          {problem !== undefined && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!isReady}>
              Create project
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}
