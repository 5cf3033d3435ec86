import { Button, Group, Popover, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, useRef, useState } from 'react';
import { api, type Response } from '../api.ts';
import { useProtectedEnvironments, useRefusal } from '../me.ts';
import { invalidate, queryClient, read } from '../queries.ts';
import { tellProblem } from '../ui/notices.tsx';
import { ProductionMark } from '../ui/production-mark.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { Impact } from './impact.tsx';
import { audienceSentence } from './strategy/strategy-sentence.ts';
import classes from './switch.module.css';

type Found = Response<'GET /api/admin/search/features'>;
type Whole = Response<'GET /api/admin/projects/:projectId/features/:featureName'>;

export interface FeatureInEnvironment {
  readonly project: string;
  readonly feature: string;
  readonly environment: string;
  /** The type of the environment: production asks first. */
  readonly type: string;
  readonly enabled: boolean;
}

const change = ({ project, feature, environment }: FeatureInEnvironment, enabled: boolean) => {
  const params = { projectId: project, featureName: feature, environment };
  return enabled
    ? api(
        'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on',
        { params },
      )
    : api(
        'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off',
        { params },
      );
};

/** Shows a switch in every open list and view as if it were changed already. */
function show({ feature, environment }: FeatureInEnvironment, enabled: boolean): void {
  const changed = <E extends { readonly name: string; readonly enabled: boolean }>(
    list: readonly E[],
  ): E[] => list.map((each) => (each.name === environment ? { ...each, enabled } : each));
  queryClient.setQueriesData<Found | { pages: Found[] }>(
    { queryKey: ['GET /api/admin/search/features'] },
    (found) => {
      if (!found) return found;
      const inPage = (page: Found): Found => ({
        ...page,
        features: page.features.map((each) =>
          each.name === feature ? { ...each, environments: changed(each.environments) } : each,
        ),
      });
      return 'pages' in found ? { ...found, pages: found.pages.map(inPage) } : inPage(found);
    },
  );
  queryClient.setQueriesData<Whole>(
    { queryKey: ['GET /api/admin/projects/:projectId/features/:featureName'] },
    (whole) =>
      whole?.name === feature
        ? { ...whole, environments: changed(whole.environments) as Whole['environments'] }
        : whole,
  );
}

const undoMs = 10_000;

function useSwitch(subject: FeatureInEnvironment) {
  return useMutation({
    mutationFn: (enabled: boolean) => change(subject, enabled),
    onMutate: (enabled) => show(subject, enabled),
    onError: (error, enabled) => {
      show(subject, !enabled);
      tellProblem(
        `${enabled ? 'enable' : 'disable'} ${subject.feature} in ${subject.environment}`,
        error,
      );
    },
    onSuccess: (answer, enabled) => {
      const forWhom = enabled ? audienceOf(answer, subject.environment) : undefined;
      const id = `${subject.feature} ${subject.environment}`;
      notifications.hide(id);
      notifications.show({
        id,
        autoClose: undoMs,
        withCloseButton: true,
        title: `${subject.feature} ${enabled ? 'enabled' : 'disabled'} in ${subject.environment}`,
        message: (
          <Undo
            forWhom={forWhom}
            undo={async () => {
              notifications.hide(id);
              show(subject, !enabled);
              await change(subject, !enabled).catch((error: Error) => {
                show(subject, enabled);
                tellProblem('undo', error);
              });
              await refresh();
            }}
          />
        ),
      });
    },
    onSettled: refresh,
  });
}

const refresh = () =>
  invalidate(
    'GET /api/admin/search/features',
    'GET /api/admin/projects/:projectId/features/:featureName',
  );

/** Who gets it now, as far as the names of segments are known here. */
function audienceOf(answer: Whole, environment: string): string | undefined {
  const strategies = answer.environments
    .find(({ name }) => name === environment)
    ?.strategies.filter(({ disabled }) => !disabled);
  const [only, ...others] = strategies ?? [];
  if (!only) return undefined;
  if (others.length > 0) return `For users who match any of ${others.length + 1} strategies`;
  const { queryKey } = read('GET /api/admin/segments', {});
  const known = queryClient.getQueryData(queryKey)?.segments ?? [];
  const names = new Map(known.map(({ id, name }) => [id, name]));
  if (!only.segments.every((id) => names.has(id))) return undefined;
  return audienceSentence(only, names);
}

const Undo = ({
  forWhom,
  undo,
}: {
  readonly forWhom: string | undefined;
  readonly undo: () => Promise<void>;
}) => (
  <>
    {forWhom !== undefined && (
      <Text size="sm" lineClamp={2} mb={6}>
        {forWhom}
      </Text>
    )}
    <Button size="compact-sm" variant="light" onClick={() => void undo()}>
      Undo
    </Button>
  </>
);

/** Whether a project asks before a switch in production. Where that is unknown, it does. */
const asksBeforeProduction = (project: string): Promise<boolean> =>
  queryClient
    .fetchQuery(read('GET /api/admin/projects', {}))
    .then(({ projects }) => projects.find(({ id }) => id === project)?.asksBeforeProduction ?? true)
    .catch(() => true);

interface ControlProps
  extends Pick<ComponentProps<'input'>, 'ref' | 'aria-label' | 'checked' | 'onKeyDown'> {
  readonly isProduction: boolean;
  readonly hasWords: boolean;
  readonly refusal: string | undefined;
  readonly onChange: () => void;
}

/**
 * One element where Mantine's switch has eight, because a list of features has sixty of them on a screen: with theirs,
 * and their checkboxes and stars, scrolling kept the browser busy 1.7 times as long.
 */
const Control = ({ isProduction, hasWords, refusal, onChange, ...props }: ControlProps) => {
  const common = {
    ...props,
    type: 'checkbox',
    role: 'switch',
    className: classes.switch,
    'data-production': isProduction || undefined,
  };
  return refusal === undefined ? (
    <input {...common} onChange={onChange} />
  ) : (
    <span className={classes.readOnly}>
      <Tooltip label={refusal} multiline w={260}>
        <input {...common} aria-disabled aria-description={refusal} onChange={() => {}} />
      </Tooltip>
      {!(hasWords && props.checked) && (
        <span className={classes.state} data-beside={hasWords || undefined} aria-hidden>
          {props.checked ? 'Enabled' : 'Disabled'}
        </span>
      )}
    </span>
  );
};

/** Escape closes the question, and not the dialog around it. */
const ownEscape = { 'data-mantine-stop-propagation': true };

interface SwitchProps extends FeatureInEnvironment {
  /** Words beside it already say more than "Enabled" to users who can't change it. */
  readonly hasWords?: boolean;
}

/** Enables and disables at once, with Undo. In production it asks first: switches there are hit by mistake. */
export function FeatureSwitch({ hasWords = false, ...subject }: SwitchProps) {
  const { feature, environment, enabled, project, type } = subject;
  const refusal = useRefusal('UPDATE_FEATURE_ENVIRONMENT', { project, environment });
  const isProposal = useProtectedEnvironments()(project).includes(environment);
  const [isAsking, setAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const switching = useSwitch(subject);
  const isProduction = type === 'production';
  const close = () => {
    setAsking(false);
    input.current?.focus();
  };
  const control = (
    <Control
      ref={input}
      aria-label={`${feature} in ${environment}`}
      checked={enabled}
      isProduction={isProduction}
      hasWords={hasWords}
      refusal={refusal}
      // Until the question has the focus.
      {...(isAsking && ownEscape)}
      onKeyDown={(event) => {
        if (!isAsking || event.key !== 'Escape') return;
        // For a list, Escape clears the selection.
        event.stopPropagation();
        close();
      }}
      onChange={() => {
        if (!isProduction) switching.mutate(!enabled);
        else {
          void asksBeforeProduction(project).then((asks) =>
            asks ? setAsking(true) : switching.mutate(!enabled),
          );
        }
      }}
    />
  );
  if (!isProduction || refusal !== undefined) return control;
  return (
    <span className={classes.asking}>
      {control}
      {isAsking && (
        // Only while it asks: a list has hundreds of switches.
        <Popover opened onChange={close} trapFocus withArrow withRoles={false} position="bottom">
          <Popover.Target>
            <span aria-hidden className={classes.anchor} />
          </Popover.Target>
          <Popover.Dropdown
            className={classes.question ?? ''}
            onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
          >
            <Stack gap="xs">
              <Group gap={6} wrap="nowrap" align="flex-start">
                <ProductionMark name={environment} isCompact />
                <Text size="sm">
                  {enabled ? 'Disable' : 'Enable'} <b>{feature}</b> in <b>{environment}</b>?
                </Text>
              </Group>
              <Impact feature={feature} environment={environment} />
              <Group gap="xs">
                <Button
                  size="xs"
                  data-autofocus
                  {...ownEscape}
                  onClick={() => {
                    close();
                    switching.mutate(!enabled);
                  }}
                >
                  {isProposal ? 'Propose' : enabled ? 'Disable' : 'Enable'}
                </Button>
                <Button size="xs" variant="default" {...ownEscape} onClick={close}>
                  Cancel
                </Button>
              </Group>
            </Stack>
          </Popover.Dropdown>
        </Popover>
      )}
    </span>
  );
}
