import { Alert, Button, Chip, Group, Select, Stack, Tabs, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Suspense, useCallback, useMemo, useState } from 'react';
import type { LogSearch } from '../../events/search.ts';
import { momentIn } from '../../history/moment.ts';
import { useReviveRefusal } from '../../me.ts';
import { AfterPaint } from '../../ui/after-paint.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageLink } from '../../ui/link.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Since } from '../../ui/time.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from '../flags.module.css';
import { strategyProblems, variantProblems } from '../strategy/strategy-check.ts';
import { AsJson } from './as-json.tsx';
import { changeSummary } from './change-summary.ts';
import { Conflicts } from './conflicts.tsx';
import { Details } from './details.tsx';
import {
  changesOf,
  type Draft,
  emptyDraft,
  ownChanges,
  remaining,
  shownStrategies,
} from './draft.ts';
import { useDraft } from './draft-store.ts';
import { EditorDrawer } from './editor-drawer.tsx';
import { EnvironmentColumn } from './environment.tsx';
import { FeatureNotThere, isMissing } from './feature-not-there.tsx';
import { featureQuery, featureUsageQuery } from './feature-query.ts';
import { FeatureHeader, revive } from './header.tsx';
import { useKeptDraft } from './kept-draft.tsx';
import { conflictsOf, rebased } from './merge.ts';
import { Review } from './review.tsx';
import { type FeatureTab, featureTabs } from './search.ts';
import { ShowCode } from './show-code.tsx';
import { TryIt } from './try-it.tsx';
import { Usage } from './usage.tsx';
import { FeatureViewContext, route, useCatalogue, useFeatureView } from './view.ts';

const Code = lazyPart(() => import('./code/code.tsx'), 'Code');
const FeatureHistory = lazyPart(() => import('../../events/feature-history.tsx'), 'FeatureHistory');

const usagePollMs = 30_000;

const tabNames: Readonly<Record<FeatureTab, string>> = {
  rollout: 'Overview',
  usage: 'Usage',
  history: 'Event log',
  code: 'Code',
  json: 'JSON',
};

/** Evaluations in the last hour, by environment. */
function useUsage(feature: string) {
  const found = useQuery({
    ...featureUsageQuery(feature),
    refetchInterval: usagePollMs,
  }).data;
  return {
    byEnvironment: new Map(found?.lastHourUsage.map((each) => [each.environment, each])),
    applications: found?.seenApplications,
  };
}

/** More environments than fit beside each other. */
const manyEnvironments = 4;

/** Which of many environments are visible. */
function EnvironmentChoice() {
  const { feature, draft } = useFeatureView();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const names = feature.environments.map(({ name }) => name);
  if (names.length <= manyEnvironments) return null;
  const show = (shown: readonly string[] | undefined) =>
    void navigate({ search: (before) => ({ ...before, show: shown }), replace: true });
  return (
    <Chip.Group
      multiple
      value={[...(search.show ?? names)]}
      onChange={(shown) =>
        show(shown.length === 0 || shown.length === names.length ? undefined : shown)
      }
    >
      <Group gap={6} role="group" aria-label="Visible environments">
        {feature.environments.map(({ name, enabled }) => (
          <Chip key={name} value={name} size="xs">
            {name} ·{' '}
            {(draft.environments[name]?.enabled?.after ?? enabled) ? 'enabled' : 'disabled'}
          </Chip>
        ))}
        {search.show && (
          <Button size="compact-xs" variant="subtle" onClick={() => show(undefined)}>
            Show all
          </Button>
        )}
      </Group>
    </Chip.Group>
  );
}

/** The environment that the others are compared with. */
function Comparison() {
  const { feature } = useFeatureView();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  if (feature.environments.length < 2) return null;
  return (
    <Group gap={6} pb={6} wrap="nowrap">
      <Text size="xs" className="quiet" id="compare-with">
        Compare with
      </Text>
      <Select
        size="xs"
        w={150}
        aria-labelledby="compare-with"
        allowDeselect={false}
        data={feature.environments.map(({ name }) => name)}
        value={referenceOf(feature.environments, search.compare)?.name ?? null}
        onChange={(compare) =>
          void navigate({
            search: (before) => ({ ...before, compare: compare ?? undefined }),
            replace: true,
          })
        }
      />
    </Group>
  );
}

/** The environment that the others are compared with: the one chosen, else the last one in production. */
function referenceOf<E extends { readonly name: string; readonly type: string }>(
  environments: readonly E[],
  chosen: string | undefined,
): E | undefined {
  return (
    environments.find(({ name }) => name === chosen) ??
    environments.findLast(({ type }) => type === 'production') ??
    environments.at(-1)
  );
}

/** After a feature was created, its code is the next step. */
function NotEvaluatedYet() {
  const { feature } = useFeatureView();
  if (feature.archived || feature.environments.some(({ lastSeenAt }) => lastSeenAt !== null)) {
    return null;
  }
  return (
    <Group className="card" px="md" py="xs" justify="space-between" gap="xs">
      <Text size="sm">Not evaluated yet. Check {feature.name} in your application to use it.</Text>
      <ShowCode />
    </Group>
  );
}

function Rollout() {
  const { feature, project } = useFeatureView();
  const search = route.useSearch();
  const { byEnvironment, applications } = useUsage(feature.name);
  const reference = referenceOf(feature.environments, search.compare);
  const shown = feature.environments.filter(({ name }) => search.show?.includes(name) ?? true);
  const columns = shown.length > 0 ? shown : feature.environments;
  return (
    <div className={classes.featurePage} data-beside>
      <Stack>
        {feature.environments.length === 0 ? (
          <EmptyState title="No environments in this project">
            Features are enabled per environment. Add an environment to{' '}
            <PageLink
              to="/projects/$projectId/settings/environments"
              params={{ projectId: project }}
            >
              the project
            </PageLink>{' '}
            to continue.
          </EmptyState>
        ) : (
          <>
            <NotEvaluatedYet />
            <EnvironmentChoice />
            <div className={classes.environments}>
              {columns.map((environment) => (
                <EnvironmentColumn
                  key={environment.name}
                  environment={environment}
                  reference={
                    reference && reference.name !== environment.name ? reference : undefined
                  }
                  usage={byEnvironment.get(environment.name)}
                />
              ))}
            </div>
            {!feature.archived && (
              <AfterPaint>
                <div className="card">
                  <TryIt environments={columns} isPaused={search.strategy !== undefined} />
                </div>
              </AfterPaint>
            )}
          </>
        )}
      </Stack>
      <AfterPaint>
        <Details applications={applications} />
      </AfterPaint>
    </div>
  );
}

/** What keeps the draft from being saved, with the environment that it is in. */
function useProblem(): string | undefined {
  const { feature, draft, catalogue } = useFeatureView();
  for (const { name, strategies } of feature.environments) {
    const own = draft.environments[name];
    if (!own) continue;
    for (const { state, content, saved } of remaining(shownStrategies(strategies, own))) {
      if (state === 'same') continue;
      const [problem] = strategyProblems(content, catalogue, saved);
      if (problem) return `${name}: ${problem.message}`;
    }
    const [problem] = own.variants ? variantProblems(own.variants.after) : [];
    if (problem) return `${name}: ${problem.message}`;
  }
  return undefined;
}

/** The bar below: how many changes there are, and the review that saves them. */
function Saving() {
  const { feature, draft, change, catalogue } = useFeatureView();
  const { strategy, variants } = route.useSearch();
  const [isReviewing, setReviewing] = useState(false);
  const changes = changesOf(draft, feature, catalogue.names);
  const own = ownChanges(changes);
  const conflicts = conflictsOf(draft, feature);
  const fault = useProblem();
  const problem = conflicts.length > 0 ? 'Resolve the conflicts above to continue' : fault;
  useKeptDraft(own.length > 0);
  return (
    <>
      <SaveBar
        changes={own.map(({ title }) => title)}
        summary={changeSummary(own)}
        action={`Review ${plural(own.length, 'change')}`}
        isKept
        isCovered={strategy !== undefined || variants !== undefined}
        problem={problem}
        onSave={() => setReviewing(true)}
        onDiscard={() => change(() => emptyDraft)}
      />
      {isReviewing && changes.length > 0 && problem === undefined && (
        <Review changes={changes} onClose={() => setReviewing(false)} />
      )}
    </>
  );
}

/** Its query, its open event, and the moment of its timeline are in the address. */
function History() {
  const { feature } = useFeatureView();
  const { q, event, asOf } = route.useSearch();
  const navigate = route.useNavigate();
  const onAsOf = useCallback(
    (next: string | undefined, { replace }: { readonly replace: boolean }) =>
      void navigate({
        search: (before) => ({ ...before, asOf: momentIn(next) }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const change = useCallback(
    (next: LogSearch, { replace }: { readonly replace: boolean }) =>
      void navigate({
        search: (before) => ({ ...before, q: next.q, event: next.event }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const search = useMemo(
    () => ({ ...(q !== undefined && { q }), ...(event !== undefined && { event }) }),
    [q, event],
  );
  return (
    <FeatureHistory
      feature={feature}
      asOf={asOf === undefined ? undefined : String(asOf)}
      onAsOf={onAsOf}
      search={search}
      onSearch={change}
    />
  );
}

function FeaturePage() {
  const { feature, draft } = useFeatureView();
  const { tab = 'rollout' } = route.useSearch();
  const navigate = route.useNavigate();
  const conflicts = conflictsOf(draft, feature);
  const reviveRefusal = useReviveRefusal(feature.project);
  return (
    <Stack className={classes.aboveNotices}>
      <FeatureHeader />
      {feature.archived && (
        <Alert color="gray" title="This feature is archived">
          <Group justify="space-between">
            <Text size="sm">
              {feature.archivedAt && (
                <>
                  Archived <Since instant={feature.archivedAt} />.{' '}
                </>
              )}
              SDKs no longer receive it.
            </Text>
            <GuardedButton
              size="xs"
              variant="default"
              refusal={reviveRefusal}
              onClick={() => void revive(feature.name)}
            >
              Revive
            </GuardedButton>
          </Group>
        </Alert>
      )}
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} />}
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(chosen) =>
          void navigate({
            search: (before) => ({
              ...before,
              q: undefined,
              event: undefined,
              asOf: undefined,
              tab: chosen === 'rollout' ? undefined : featureTabs.find((each) => each === chosen),
            }),
          })
        }
      >
        <div className={classes.tabBar}>
          <Tabs.List className={classes.tabs}>
            {featureTabs.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {tabNames[each]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tab === 'rollout' && <Comparison />}
        </div>
        <Tabs.Panel value="rollout">
          <Rollout />
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <Usage />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <Suspense>
            <History />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="code">
          <Suspense fallback={<Waiting />}>
            <Code />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <AsJson />
        </Tabs.Panel>
      </Tabs>
      <AfterPaint>
        <EditorDrawer />
      </AfterPaint>
      <Saving />
    </Stack>
  );
}

/** One feature on one screen. Its draft belongs to its name. */
function LoadedFeature({
  projectId,
  featureName,
}: {
  readonly projectId: string;
  readonly featureName: string;
}) {
  const { data: feature, error } = useSuspenseQuery(featureQuery({ projectId, featureName }));
  const catalogue = useCatalogue();
  const [stored, changeStored] = useDraft(featureName);
  const draft = useMemo(() => rebased(stored, feature), [stored, feature]);
  const change = useCallback(
    (edit: (draft: Draft) => Draft) => changeStored((before) => edit(rebased(before, feature))),
    [changeStored, feature],
  );
  const view = useMemo(
    () => ({ project: projectId, feature, catalogue, draft, change }),
    [projectId, feature, catalogue, draft, change],
  );
  // Someone else moved or deleted it. The draft is kept by its name.
  if (isMissing(error)) return <FeatureNotThere {...{ projectId, featureName, error }} />;
  return (
    <FeatureViewContext value={view}>
      <FeaturePage />
    </FeatureViewContext>
  );
}

export function Feature() {
  const params = route.useParams();
  return <LoadedFeature key={params.featureName} {...params} />;
}
