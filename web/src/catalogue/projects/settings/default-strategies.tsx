import { Alert, Box, Button, Group, Stack, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { environmentContract } from '../../../../../src/modules/catalogue/projects/environments/contract.ts';
import { api, type Response } from '../../../api.ts';
import { type Catalogue, useCatalogue } from '../../../flags/feature/view.ts';
import { strategyProblems } from '../../../flags/strategy/strategy-check.ts';
import { StrategyEditor, StrategyPreview } from '../../../flags/strategy/strategy-editor.tsx';
import type { StrategyContent } from '../../../flags/strategy/strategy-sentence.ts';
import { useRefusals } from '../../../me.ts';
import { read } from '../../../queries.ts';
import { useDraftForm } from '../../../ui/draft-form.ts';
import { GuardedButton } from '../../../ui/guarded.tsx';
import { tellDone } from '../../../ui/notices.tsx';
import { ProductionMark } from '../../../ui/production-mark.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import classes from '../projects.module.css';
import { defaultStrategyChanges } from './default-strategy-changes.ts';
import { SettingsHead } from './settings-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/default-strategy');

type Environment =
  Response<'GET /api/admin/environments/project/:projectId'>['environments'][number];

/** The only type that a default strategy can have. */
const onlyType = 'flexibleRollout' as const;

/** The strategy that a feature without one gets when it is enabled, for each environment. */
export function DefaultStrategies() {
  const { projectId } = route.useParams();
  const environments = useSuspenseQuery(
    read('GET /api/admin/environments/project/:projectId', { params: { projectId } }),
  ).data.environments;
  const all = useCatalogue();
  const catalogue = {
    ...all,
    types: new Map([...all.types].filter(([name]) => name === onlyType)),
  };
  const [edited, setEdited] = useState<string>();
  const refusalOf = useRefusals();
  return (
    <Stack className={classes.form}>
      <SettingsHead title="Default strategies">
        Added when a feature is enabled in an environment where it has no enabled strategies.
        Existing strategies aren't affected.
      </SettingsHead>
      {environments.map((environment) => (
        <section
          key={environment.name}
          id={environment.name}
          aria-label={environment.name}
          className={classes.part}
        >
          <Group justify="space-between">
            <Title order={3} size="h5">
              {environment.name}{' '}
              {environment.type === 'production' && <ProductionMark name={environment.name} />}
            </Title>
            {edited !== environment.name && (
              <GuardedButton
                refusal={
                  refusalOf(['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'], {
                    project: projectId,
                    environment: environment.name,
                  }) ?? (edited === undefined ? undefined : `Finish editing ${edited} first`)
                }
                size="xs"
                variant="default"
                onClick={() => setEdited(environment.name)}
              >
                Edit
              </GuardedButton>
            )}
          </Group>
          {edited === environment.name ? (
            <StrategyForm
              projectId={projectId}
              environment={environment}
              catalogue={catalogue}
              onDone={() => setEdited(undefined)}
            />
          ) : (
            <Box className="card" p="md">
              <StrategyPreview content={environment.defaultStrategy} catalogue={catalogue} />
            </Box>
          )}
        </section>
      ))}
    </Stack>
  );
}

const contentOf = ({ defaultStrategy }: Environment): StrategyContent => {
  const { title, disabled, constraints, variants, parameters, segments } = defaultStrategy;
  return {
    name: onlyType,
    title: title ?? null,
    disabled,
    constraints,
    variants,
    parameters,
    segments,
  };
};

interface FormProps {
  readonly projectId: string;
  readonly environment: Environment;
  readonly catalogue: Catalogue;
  readonly onDone: () => void;
}

/** The editor of strategies, over the default of one environment. */
function StrategyForm({ projectId, environment, catalogue, onDone }: FormProps) {
  const saved = contentOf(environment);
  const draft = useDraftForm({
    saved,
    schema: environmentContract.setDefaultStrategy.body,
    fields: [],
    bodyOf: (content) => ({ ...content, name: onlyType }),
    send: (body) =>
      api('POST /api/admin/projects/:projectId/environments/:environment/default-strategy', {
        params: { projectId, environment: environment.name },
        body,
      }),
    refreshes: [
      'GET /api/admin/environments/project/:projectId',
      'GET /api/admin/projects/:projectId/overview',
    ],
    onProposed: onDone,
    onSaved: () => {
      onDone();
      tellDone({
        id: `strategy ${environment.name}`,
        title: `Default strategy for ${environment.name} saved`,
      });
    },
  });
  const { values, set } = draft;
  const changes = defaultStrategyChanges(environment.name, saved, values, catalogue.names);
  const [problem] = strategyProblems(values, catalogue, saved);
  const change = (content: StrategyContent) => {
    for (const field of Object.keys(saved) as (keyof StrategyContent)[]) {
      if (content[field] !== values[field]) set(field, content[field]);
    }
  };
  return (
    <Stack className="card" p="md">
      <StrategyPreview content={values} catalogue={catalogue} />
      <StrategyEditor
        project={projectId}
        content={values}
        saved={saved}
        catalogue={catalogue}
        disabled={false}
        hasState={false}
        onChange={change}
      />
      {draft.error && (
        <Alert color="red" role="alert">
          {draft.error.message}
        </Alert>
      )}
      {changes.length === 0 && (
        <Group justify="flex-end">
          <Button variant="default" size="xs" onClick={onDone}>
            Close
          </Button>
        </Group>
      )}
      <SaveBar
        changes={changes}
        onSave={draft.save}
        onDiscard={draft.discard}
        isSaving={draft.isPending}
        problem={problem?.message}
      />
    </Stack>
  );
}
