import { Drawer, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleMinus, IconCircleX, IconHelpCircle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { PageLink } from '../../ui/link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { contextWords } from './contexts.ts';
import classes from './playground.module.css';
import {
  type ExplainedDecision,
  outcomeOf,
  type Reason,
  reasonsOf,
  reasonsOperation,
  type Verdict,
} from './reasons.ts';
import type { Decisions } from './results.ts';
import type { OpenDecision, PlaygroundSearch } from './search.ts';
import { Outcome } from './verdict.tsx';

const icons = {
  passed: IconCircleCheck,
  failed: IconCircleX,
  unknown: IconHelpCircle,
  skipped: IconCircleMinus,
} as const satisfies Readonly<Record<Verdict, unknown>>;

const verdictWords: Readonly<Record<Verdict, string>> = {
  passed: 'Match',
  failed: 'No match',
  unknown: 'Unknown',
  skipped: 'Skipped',
};

interface TreeProps {
  readonly reasons: readonly Reason[];
  readonly why: OpenDecision;
}

/** What is required on the left, what the context has on the right. */
function ReasonTree({ reasons, why }: TreeProps) {
  const { project, feature, environment } = why;
  return (
    <ul className={classes.tree}>
      {reasons.map((reason, index) => {
        const { verdict, words, note, strategy, reasons: inner } = reason;
        const Icon = icons[verdict];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two constraints may say the same
          <li key={index} data-verdict={verdict}>
            <div className={classes.reason}>
              <Icon
                size={18}
                role="img"
                title={verdictWords[verdict]}
                className={classes.verdict}
              />
              <div className={classes.reasonText}>
                <Text size="sm" component="span">
                  {words}
                </Text>
                {strategy !== undefined && strategy !== '' && (
                  <PageLink
                    to="/projects/$projectId/features/$featureName"
                    params={{ projectId: project, featureName: feature }}
                    search={{ strategy: `${environment}/${strategy}` }}
                    size="xs"
                    display="block"
                  >
                    View strategy
                  </PageLink>
                )}
              </div>
              {note !== undefined && (
                <Text size="sm" className={`quiet ${classes.actual}`}>
                  {note}
                </Text>
              )}
            </div>
            {inner.length > 0 && <ReasonTree reasons={inner} why={why} />}
          </li>
        );
      })}
    </ul>
  );
}

interface Props {
  readonly why: OpenDecision;
  readonly onWhy: (why: OpenDecision | undefined) => void;
  readonly decisions: Decisions;
  /** The moment whose configuration is evaluated; undefined: the current one. */
  readonly asOf: PlaygroundSearch['asOf'];
}

/** A decision with the configuration of a moment in the past, with its reasons. */
async function readPastDecision(
  { project, feature, environment }: OpenDecision,
  context: Readonly<Record<string, readonly string[]>>,
  asOf: string,
  signal: AbortSignal,
): Promise<ExplainedDecision | undefined> {
  const { features } = await api('POST /api/admin/playground/advanced', {
    body: {
      environments: [environment],
      projects: [project],
      context: context as never,
      asOf,
    },
    signal,
  });
  return features.find(({ name }) => name === feature)?.environments[environment]?.[0];
}

function Reasons({ why, onWhy, decisions, asOf }: Props) {
  const { project, feature, environment, context } = why;
  const values = decisions.contexts[context]?.values ?? {};
  const listed = decisions.features.find(({ name }) => name === feature)?.environments;
  const environments = Object.keys(listed ?? { [environment]: [] });
  const found = useQuery({
    queryKey: [reasonsOperation, why, values, asOf],
    queryFn: async ({ signal }) => {
      // As lists, because a comma would separate values.
      const listed = Object.fromEntries(
        Object.entries(values).map(([field, value]) => [field, [value]]),
      );
      if (asOf !== undefined) {
        return (await readPastDecision(why, listed, String(asOf), signal)) ?? null;
      }
      const { decisions } = await api(reasonsOperation, {
        params: { projectId: project, featureName: feature, environment },
        body: { context: listed },
        signal,
      });
      return decisions[0]?.saved ?? null;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  const decision = found.data;
  return (
    <Stack gap="md">
      <div className={classes.choices}>
        <NativeSelect
          label="Environment"
          size="xs"
          value={environment}
          data={environments}
          onChange={({ currentTarget }) => onWhy({ ...why, environment: currentTarget.value })}
        />
        {decisions.contexts.length > 1 && (
          <NativeSelect
            label="Context"
            size="xs"
            value={String(context)}
            data={decisions.contexts.slice(0, 500).map(({ values: each }, index) => ({
              value: String(index),
              label: `${index + 1}: ${contextWords(each).slice(0, 80)}`,
            }))}
            onChange={({ currentTarget }) =>
              onWhy({ ...why, context: Number(currentTarget.value) })
            }
          />
        )}
      </div>
      {found.isError ? (
        <Problem error={found.error} />
      ) : !decision ? (
        <Waiting />
      ) : (
        <>
          <div role="status">
            <Group gap="xs" mb={6}>
              <Outcome decision={outcomeOf(decision, listed?.[environment]?.[context])} />
              <Text size="sm" className="quiet">
                {environment} · {contextWords(values)}
              </Text>
            </Group>
            <Text size="sm" className={classes.explanation ?? ''}>
              {decision.explanation}
            </Text>
          </div>
          <ReasonTree reasons={reasonsOf(decision)} why={why} />
          {asOf !== undefined && (
            <PageLink
              to="/projects/$projectId/features/$featureName"
              params={{ projectId: project, featureName: feature }}
              search={{ tab: 'history', asOf }}
              size="sm"
            >
              View in timeline
            </PageLink>
          )}
          <PageLink
            to="/projects/$projectId/features/$featureName"
            params={{ projectId: project, featureName: feature }}
            search={{
              show: [environment],
              ...(Object.keys(values).length > 0 && { context: values }),
            }}
            size="sm"
          >
            Test {feature} with this context
          </PageLink>
        </>
      )}
    </Stack>
  );
}

/** Why a feature is enabled or disabled for a context, as a tree of reasons. */
export const Why = (props: Props) => (
  <Drawer
    opened
    onClose={() => props.onWhy(undefined)}
    position="right"
    size="lg"
    title={`Evaluation of ${props.why.feature}`}
    transitionProps={{ duration: 100 }}
  >
    <Reasons {...props} />
  </Drawer>
);
