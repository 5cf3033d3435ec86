import { ActionIcon, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import type { SetVariants } from '../../../../src/modules/flags/features/variants/variant-schema.ts';
import { api, type Response } from '../../api.ts';
import { AddField, ContextValue } from '../../sdk/playground/context-input.tsx';
import { PageLink } from '../../ui/link.tsx';
import classes from '../flags.module.css';
import { strategyProblems } from '../strategy/strategy-check.ts';
import type { Environment } from '../strategy/strategy-sentence.ts';
import { decisionWords } from './decision-words.ts';
import { remaining, shownStrategies } from './draft.ts';
import { route, useFeatureView } from './view.ts';

const operation =
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/playground';
type Decision = Response<typeof operation>['decisions'][number]['unsaved'];

/** The pause in typing after which it is evaluated. */
const pauseMs = 200;

/** The unsaved changes, as the server evaluates them. */
function useUnsaved() {
  const { draft, feature } = useFeatureView();
  return (environment: Environment) => {
    const own = draft.environments[environment.name];
    return {
      ...(own?.enabled && { enabled: own.enabled.after }),
      ...(own && {
        strategies: remaining(shownStrategies(environment.strategies, own)).map(
          ({ key, state, content }) => ({
            ...content,
            title: content.title ?? null,
            ...(state !== 'added' && { id: key }),
          }),
        ),
      }),
      ...(own?.variants && { variants: own.variants.after as SetVariants }),
      dependencies: (draft.dependencies?.after ?? feature.dependencies).map((dependency) => ({
        ...dependency,
      })),
    };
  };
}

/** Whether a strategy of the draft could not be saved, and so cannot be evaluated. */
function useHasProblem() {
  const { draft, catalogue } = useFeatureView();
  return ({ name, strategies }: Environment): boolean =>
    remaining(shownStrategies(strategies, draft.environments[name])).some(
      ({ state, content, saved }) =>
        state !== 'same' && strategyProblems(content, catalogue, saved).length > 0,
    );
}

/** The fields that decide something here, before all others. */
function useFieldsThatMatter(): string[] {
  const { feature, draft, catalogue } = useFeatureView();
  const found = new Set<string>();
  for (const { name, strategies } of feature.environments) {
    for (const { content } of remaining(shownStrategies(strategies, draft.environments[name]))) {
      const { stickiness } = content.parameters;
      if (stickiness !== undefined) found.add(stickiness === 'default' ? 'userId' : stickiness);
      for (const { contextName } of content.constraints) found.add(contextName);
      for (const id of content.segments) {
        for (const { contextName } of catalogue.segments.get(id)?.constraints ?? []) {
          found.add(contextName);
        }
      }
    }
  }
  found.delete('random');
  found.delete('');
  return [...found];
}

const Reasons = ({ strategies }: { readonly strategies: readonly string[] }) => (
  <ol className={classes.reasons} data-single={strategies.length === 1 || undefined}>
    {strategies.map((words, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a new strategy has no id yet
      <li key={index}>{words}</li>
    ))}
  </ol>
);

interface OutcomeProps {
  readonly decision: Decision;
  /** Without unsaved changes there is nothing to compare: random stickiness gives another result each time. */
  readonly saved: Decision | undefined;
}

/** The result first, then the reason, then what each strategy says. */
function Outcome({ decision, saved }: OutcomeProps) {
  const isOther =
    saved !== undefined &&
    (decision.isEnabled !== saved.isEnabled || decision.variant?.name !== saved.variant?.name);
  const { whole, strategies, isHypothetical } = decisionWords(decision);
  const variant = decision.isEnabled ? decision.variant : null;
  return (
    <>
      <Group gap={6}>
        <Badge
          tt="none"
          variant="light"
          color={decision.isEnabled ? 'green' : 'red'}
          className={classes.verdict}
        >
          {decision.environment}: {decision.isEnabled ? 'Enabled' : 'Disabled'}
        </Badge>
        {variant?.enabled && (
          <Badge tt="none" variant="outline" color="gray">
            Variant: {variant.name}
          </Badge>
        )}
        {isOther && (
          <Text size="xs" className="quiet">
            Saved:{' '}
            {saved.isEnabled
              ? `enabled${saved.variant?.enabled ? `, variant ${saved.variant.name}` : ''}`
              : 'disabled'}
          </Text>
        )}
      </Group>
      {whole.map((sentence) => (
        <Text key={sentence} size="sm" className={classes.title}>
          {sentence}
        </Text>
      ))}
      {strategies.length > 0 &&
        (isHypothetical ? (
          <details className={classes.hypothetical}>
            <summary>If it were enabled</summary>
            <Reasons strategies={strategies} />
          </details>
        ) : (
          <Reasons strategies={strategies} />
        ))}
    </>
  );
}

interface Props {
  /** The environments to evaluate in. */
  readonly environments: readonly Environment[];
  readonly label?: string;
  /** Whether the one in the editor covers it. */
  readonly isPaused?: boolean;
}

/** Evaluates a context against the draft, and says why. */
export function TryIt({ environments, label = 'Test', isPaused = false }: Props) {
  const { draft, feature, project, catalogue } = useFeatureView();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const unsavedIn = useUnsaved();
  const hasProblem = useHasProblem();
  const matter = useFieldsThatMatter();
  const context = search.context ?? {};
  const fields = Object.keys(context);
  const setContext = (next: Record<string, string>) =>
    void navigate({
      search: (before) => ({
        ...before,
        context: Object.keys(next).length > 0 ? next : undefined,
      }),
      replace: true,
    });
  const asked = environments.map((environment) => ({
    environment: environment.name,
    body: { ...unsavedIn(environment), context },
  }));
  const latest = JSON.stringify(asked);
  const [settled] = useDebouncedValue(latest, pauseMs);
  const requests = JSON.parse(settled) as typeof asked;
  const faulty = new Set(environments.filter(hasProblem).map(({ name }) => name));
  const answers = useQueries({
    queries: requests.map(({ environment, body }) => ({
      queryKey: [operation, project, feature.name, environment, body],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api(operation, {
          params: { projectId: project, featureName: feature.name, environment },
          body,
          signal,
        }),
      placeholderData: keepPreviousData,
      enabled: settled === latest && !feature.archived && !isPaused && !faulty.has(environment),
      retry: false,
    })),
  });
  const others = [...new Set([...matter, ...catalogue.fields.keys()])].filter(
    (field) => !fields.includes(field),
  );
  return (
    <section aria-label={label} className={classes.tryIt}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Test
        </Title>
        <Text size="xs" className="quiet">
          Uses your unsaved changes ·{' '}
          <PageLink
            to="/playground"
            search={{
              environments: environments.map(({ name }) => name),
              projects: [project],
              query: feature.name,
              ...(fields.length > 0 && { contexts: [context] }),
            }}
            inherit
            underline="always"
          >
            Open in Playground
          </PageLink>
        </Text>
      </Group>
      <Group gap="xs" align="flex-end">
        {fields.map((field) => {
          const legal = catalogue.fields.get(field)?.legalValues ?? [];
          const set = (value: string) => setContext({ ...context, [field]: value });
          const remove = () => {
            const { [field]: _, ...rest } = context;
            setContext(rest);
          };
          return (
            <ContextValue
              key={field}
              label={field}
              w={170}
              value={context[field] ?? ''}
              placeholder={field === 'currentTime' ? new Date().toISOString() : ''}
              legalValues={legal}
              onChange={set}
              rightSection={
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Remove ${field}`}
                  onClick={remove}
                >
                  <IconX size={12} aria-hidden />
                </ActionIcon>
              }
            />
          );
        })}
        <AddField
          variant="default"
          fields={others}
          inUse={matter}
          onAdd={(field) => setContext({ ...context, [field]: '' })}
        />
      </Group>
      <Stack gap="sm" mt="md" aria-live="polite">
        {answers.map((answer, index) => {
          const environment = requests[index]?.environment ?? '';
          if (faulty.has(environment)) {
            return (
              <Text key={environment} size="sm" className="quiet">
                {environment}: Fix the errors above to test
              </Text>
            );
          }
          if (answer.isError) {
            return (
              <Text key={environment} size="sm" c="var(--mantine-color-error)">
                {environment}: {answer.error.message}
              </Text>
            );
          }
          return (
            <Stack key={environment} gap={4}>
              {answer.data?.decisions.slice(0, 10).map(({ saved, unsaved }) => (
                <Outcome
                  key={JSON.stringify(unsaved.context)}
                  decision={unsaved}
                  saved={draft.environments[environment] || draft.dependencies ? saved : undefined}
                />
              ))}
            </Stack>
          );
        })}
      </Stack>
    </section>
  );
}
