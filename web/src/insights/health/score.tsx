import { Badge, Code, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { read } from '../../queries.ts';
import { CopyIcon } from '../../ui/copy-button.tsx';
import { percent, plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from './health.module.css';
import { budgetWords } from './week.ts';

const definition = 'Percentage of features that are neither stale nor potentially stale';

const share = (part: number, total: number) => (total === 0 ? 0 : (100 * part) / total);

/** The score of a project, its parts, and whether it meets its budget. */
export function Score({ projectId }: { readonly projectId: string }) {
  const rating = useQuery(
    read('GET /api/admin/projects/:projectId/budget', { params: { projectId } }),
  ).data;
  const { autoStale } = useSuspenseQuery(
    read('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
  ).data;
  if (!rating) return <Waiting />;
  const { current, budget, exceeded } = rating;
  const { total, stale, potentiallyStale, health } = current;
  const fresh = total - stale - potentiallyStale;
  const limits = budgetWords(budget);
  const parts = [
    { label: 'Healthy', count: fresh, color: 'teal.6' },
    { label: 'Potentially stale', count: potentiallyStale, color: 'yellow.5' },
    { label: 'Stale', count: stale, color: 'red.5' },
  ];
  return (
    <Section
      title="Score"
      aside={
        <PageLink to="/projects/$projectId/settings" params={{ projectId }} hash="health" size="sm">
          Health settings
        </PageLink>
      }
    >
      <Stack className="card" p="md" gap="sm">
        <Group gap="md" align="baseline">
          <Tooltip label={definition} multiline maw={260}>
            <Text className={`tabular ${classes.score}`} tabIndex={0}>
              {percent(health)}
            </Text>
          </Tooltip>
          <Text size="sm" className="quiet">
            {total === 0 ? 'No features yet' : `of ${plural(total, 'feature')} healthy`}
          </Text>
        </Group>
        <Progress.Root size="lg" aria-label={`Health ${percent(health)}`}>
          {parts.map(({ label, count, color }) => (
            <Progress.Section
              key={label}
              value={share(count, total)}
              color={color}
              aria-label={`${label}: ${count}`}
            />
          ))}
        </Progress.Root>
        <Group gap="md">
          {parts.map(({ label, count, color }) => (
            <Group key={label} gap={6}>
              <span
                className={classes.swatch}
                style={{ background: `var(--mantine-color-${color.replace('.', '-')})` }}
              />
              <Text size="sm" className="tabular">
                {label} <b>{count}</b>
              </Text>
            </Group>
          ))}
        </Group>
        <Group gap={8}>
          {limits === undefined ? (
            <Text size="sm" className="quiet">
              No budget set. Set one to see when the project exceeds it and to fail CI.
            </Text>
          ) : (
            <>
              <Badge color={exceeded.length > 0 ? 'yellow' : 'teal'} variant="light" tt="none">
                {exceeded.length > 0 ? 'Over budget' : 'Within budget'}
              </Badge>
              <Text size="sm" className="quiet">
                {limits}
              </Text>
            </>
          )}
        </Group>
        <Text size="sm" className="quiet">
          {autoStale
            ? 'Features are marked as stale automatically after the expected lifetime of their type.'
            : 'Features past the expected lifetime of their type become potentially stale. Marking them as stale is up to you.'}
        </Text>
      </Stack>
    </Section>
  );
}

/** The command that checks the project in CI. */
export function CiCheck({ projectId }: { readonly projectId: string }) {
  const config = useQuery(read('GET /api/admin/ui-config', {})).data;
  const hasBudget = useQuery(
    read('GET /api/admin/projects/:projectId/budget', { params: { projectId } }),
  ).data?.budget;
  const limits =
    hasBudget && budgetWords(hasBudget) !== undefined ? '' : ' --max-stale 5 --min-health 80';
  const line = `BURGEE_URL=${(config?.unleashUrl ?? window.location.origin).replace(/\/$/, '')} BURGEE_TOKEN=$TOKEN npx burgee debt --project ${projectId}${limits}`;
  return (
    <Section title="CI check">
      <Stack className="card" p="md" gap="sm">
        <Text size="sm">
          Exits with code 1 when the project is over {limits === '' ? 'its budget' : 'these limits'}{' '}
          and lists the features to clean up. Works with any token that can read the project.
        </Text>
        <Group wrap="nowrap" gap="xs" align="start">
          <Code block className={classes.line}>
            {line}
          </Code>
          <CopyIcon text={line} label="Copy command" />
        </Group>
      </Stack>
    </Section>
  );
}
