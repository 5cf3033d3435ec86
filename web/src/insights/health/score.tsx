import { Badge, Code, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { healthReason } from '../../catalogue/projects/words.ts';
import { read } from '../../queries.ts';
import { CopyIcon } from '../../ui/copy-button.tsx';
import { percent } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from './health.module.css';
import { budgetWords } from './week.ts';

const share = (part: number, total: number) => (total === 0 ? 0 : (100 * part) / total);

/** The score of a project, its parts, and whether it meets its budget. */
export function Score({ projectId }: { readonly projectId: string }) {
  const answer = useQuery(
    read('GET /api/admin/projects/:projectId/budget', { params: { projectId } }),
  ).data;
  const { autoStale } = useSuspenseQuery(
    read('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
  ).data;
  if (!answer) return <Waiting />;
  const { current, budget, exceeded } = answer;
  const { total, stale, potentiallyStale, health } = current;
  const fresh = total - stale - potentiallyStale;
  const limits = budgetWords(budget);
  const parts = [
    { label: 'Fresh', count: fresh, color: 'teal.6' },
    { label: 'Past their lifetime', count: potentiallyStale, color: 'yellow.5' },
    { label: 'Marked stale', count: stale, color: 'red.5' },
  ];
  return (
    <Section
      title="Score"
      aside={
        <PageLink to="/projects/$projectId/settings" params={{ projectId }} hash="health" size="sm">
          Budget and settings
        </PageLink>
      }
    >
      <Stack className="card" p="md" gap="sm">
        <Group gap="md" align="baseline">
          <Text className={`tabular ${classes.score}`}>{percent(health)}</Text>
          <Text size="sm" flex={1} miw={200}>
            {healthReason({ features: total, stale, potentiallyStale })} The score is the share of
            features that are neither.
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
              There is no budget. With one, the project says when it is over it, and a pipeline can
              fail.
            </Text>
          ) : (
            <>
              <Badge color={exceeded.length > 0 ? 'yellow' : 'teal'} variant="light" tt="none">
                {exceeded.length > 0 ? 'over its budget' : 'within its budget'}
              </Badge>
              <Text size="sm" className="quiet">
                {limits}
              </Text>
            </>
          )}
        </Group>
        <Text size="sm" className="quiet">
          {autoStale
            ? 'Features are marked stale by themselves when the lifetime of their type is over.'
            : 'Features past the lifetime of their type are shown as due; somebody decides whether they are stale.'}
        </Text>
      </Stack>
    </Section>
  );
}

/** The command that checks the project in a pipeline. */
export function PipelineLine({ projectId }: { readonly projectId: string }) {
  const config = useQuery(read('GET /api/admin/ui-config', {})).data;
  const hasBudget = useQuery(
    read('GET /api/admin/projects/:projectId/budget', { params: { projectId } }),
  ).data?.budget;
  const limits =
    hasBudget && budgetWords(hasBudget) !== undefined ? '' : ' --max-stale 5 --min-health 80';
  const line = `BURGEE_URL=${(config?.unleashUrl ?? window.location.origin).replace(/\/$/, '')} BURGEE_TOKEN=$TOKEN npx burgee debt --project ${projectId}${limits}`;
  return (
    <Section title="In your pipeline">
      <Stack className="card" p="md" gap="sm">
        <Text size="sm">
          This line ends with 1 when the project is{' '}
          {limits === '' ? 'over its budget' : 'over these limits'}, and lists the features that
          should go. Any token that may read the project will do.
        </Text>
        <Group wrap="nowrap" gap="xs" align="start">
          <Code block className={classes.line}>
            {line}
          </Code>
          <CopyIcon text={line} label="Copy the line" />
        </Group>
      </Stack>
    </Section>
  );
}
