import {
  Alert,
  Button,
  Group,
  MultiSelect,
  Select,
  Slider,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Response } from '../../../api.ts';
import { StrategyCard } from '../../../flags/strategy.tsx';
import { useRefusal } from '../../../me.ts';
import { invalidate, read } from '../../../queries.ts';
import { tellDone } from '../../../ui/notices.tsx';
import { RefusableButton } from '../../../ui/refusable.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import classes from '../projects.module.css';
import { useDraft } from './draft.ts';
import { RoomHead } from './room-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/default-strategy');

type Environment =
  Response<'GET /api/admin/environments/project/:projectId'>['environments'][number];
type DefaultStrategy = Environment['defaultStrategy'];
type Segment = Response<'GET /api/admin/segments'>['segments'][number];

/** What new features get in an environment where nobody says otherwise. */
export function DefaultStrategies() {
  const { projectId } = route.useParams();
  const environments = useSuspenseQuery(
    read('GET /api/admin/environments/project/:projectId', { params: { projectId } }),
  ).data.environments;
  const segments = useQuery(read('GET /api/admin/segments', {})).data?.segments ?? [];
  const [edited, setEdited] = useState<string>();
  const refusal = useRefusal(['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'], {
    project: projectId,
  });
  const segmentNames = new Map(segments.map(({ id, name }) => [id, name]));
  return (
    <Stack className={classes.form}>
      <RoomHead title="Default strategies">
        A feature that is switched on in an environment without a strategy gets this one. Features
        that have strategies stay as they are.
      </RoomHead>
      {environments.map((environment) => (
        <section
          key={environment.name}
          id={environment.name}
          aria-label={environment.name}
          className={classes.part}
        >
          <Group justify="space-between">
            <Title order={3} size="h5">
              {environment.name}
            </Title>
            {edited !== environment.name && (
              <RefusableButton
                refusal={
                  refusal ?? (edited === undefined ? undefined : `Save or discard ${edited} first.`)
                }
                size="xs"
                variant="default"
                onClick={() => setEdited(environment.name)}
              >
                Edit
              </RefusableButton>
            )}
          </Group>
          {edited === environment.name ? (
            <StrategyForm
              projectId={projectId}
              environment={environment}
              segments={segments}
              onDone={() => setEdited(undefined)}
            />
          ) : (
            <StrategyCard strategy={environment.defaultStrategy} segmentNames={segmentNames} />
          )}
        </section>
      ))}
    </Stack>
  );
}

const formOf = ({ title, parameters, segments }: DefaultStrategy) => ({
  title: title ?? '',
  rollout: Number(parameters.rollout ?? 100),
  stickiness: parameters.stickiness ?? 'default',
  groupId: parameters.groupId ?? '',
  segments: segments.map(String),
});

interface FormProps {
  readonly projectId: string;
  readonly environment: Environment;
  readonly segments: readonly Segment[];
  readonly onDone: () => void;
}

/** A gradual rollout: how many, sticky by what, in which segments. Constraints and variants stay as they are. */
function StrategyForm({ projectId, environment, segments, onDone }: FormProps) {
  const context = useQuery(read('GET /api/admin/context', {})).data ?? [];
  const strategy = environment.defaultStrategy;
  const saved = formOf(strategy);
  const { values, changed, set, discard } = useDraft(saved);
  const { constraints, variants } = strategy;
  const save = useMutation({
    mutationFn: () =>
      api('POST /api/admin/projects/:projectId/environments/:environment/default-strategy', {
        params: { projectId, environment: environment.name },
        body: {
          name: 'flexibleRollout',
          title: values.title || null,
          disabled: strategy.disabled,
          constraints,
          variants,
          segments: values.segments.map(Number),
          parameters: {
            ...strategy.parameters,
            rollout: String(values.rollout),
            stickiness: values.stickiness,
            ...(values.groupId !== '' && { groupId: values.groupId }),
          },
        },
      }),
    onSuccess: async () => {
      await invalidate(
        'GET /api/admin/environments/project/:projectId',
        'GET /api/admin/projects/:projectId/overview',
      );
      onDone();
      tellDone({
        id: `strategy ${environment.name}`,
        title: `New features in ${environment.name} are on for ${values.rollout} %`,
      });
    },
  });
  const usable = segments.filter(({ project }) => !project || project === projectId);
  const words = {
    title: 'title',
    rollout: `rollout ${saved.rollout} % → ${values.rollout} %`,
    stickiness: `stickiness ${saved.stickiness} → ${values.stickiness}`,
    groupId: 'group id',
    segments: 'segments',
  };
  return (
    <Stack className="card" p="md">
      <TextInput
        label="Title"
        placeholder="What it is for"
        maxLength={255}
        value={values.title}
        onChange={({ currentTarget }) => set('title', currentTarget.value)}
      />
      <div>
        <Text size="sm" fw={500} id="rollout">
          Rollout: {values.rollout} %
        </Text>
        <Slider
          aria-labelledby="rollout"
          thumbLabel="Rollout in percent"
          value={values.rollout}
          onChange={(value) => set('rollout', value)}
          label={(value) => `${value} %`}
          marks={[0, 25, 50, 75, 100].map((value) => ({ value, label: `${value} %` }))}
          mb="md"
        />
      </div>
      <Group grow align="start" preventGrowOverflow={false}>
        <Select
          label="Sticky by"
          allowDeselect={false}
          miw={180}
          data={[
            ...new Set([
              'default',
              'random',
              ...context.filter(({ stickiness }) => stickiness).map(({ name }) => name),
              values.stickiness,
            ]),
          ]}
          value={values.stickiness}
          onChange={(value) => value && set('stickiness', value)}
        />
        <TextInput
          label="Group id"
          description="Empty: the name of the feature."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          miw={180}
          value={values.groupId}
          onChange={({ currentTarget }) => set('groupId', currentTarget.value)}
        />
      </Group>
      <MultiSelect
        label="Segments"
        placeholder={values.segments.length === 0 ? 'Everybody' : ''}
        searchable
        clearable
        data={usable.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={values.segments}
        onChange={(value) => set('segments', value)}
        nothingFoundMessage="No segment has this name"
      />
      {(constraints.length > 0 || variants.length > 0) && (
        <Text size="sm" className="quiet">
          Its constraints and variants stay as they are.
        </Text>
      )}
      {save.isError && (
        <Alert color="red" role="alert">
          {save.error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            discard();
            onDone();
          }}
        >
          Close
        </Button>
      </Group>
      <SaveBar
        changes={changed.map((field) => `${environment.name}: ${words[field]}`)}
        onSave={() => save.mutate()}
        onDiscard={() => {
          discard();
          onDone();
        }}
        isSaving={save.isPending}
      />
    </Stack>
  );
}
