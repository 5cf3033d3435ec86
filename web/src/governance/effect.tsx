import { Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError, api } from '../api.ts';
import { Impact } from '../flags/impact.tsx';
import { useMe } from '../me.ts';
import { contextWords } from '../sdk/playground/contexts.ts';
import { readTried } from '../sdk/playground/tried-contexts.ts';
import { agree, joinAnd, plural } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';
import { Problem } from '../ui/problem.tsx';
import { Section } from '../ui/section.tsx';
import type { ChangeRequest } from './change-words.ts';
import {
  type ChangedDecision,
  changeText,
  countText,
  exampleOf,
  type Preview,
  type PreviewedFeature,
  whoText,
} from './effect-words.ts';
import classes from './governance.module.css';

const operation = 'POST /api/admin/projects/:projectId/change-requests/:id/preview';

const openStates: readonly string[] = ['Draft', 'In review', 'Approved', 'Scheduled'];

const causes: Readonly<Record<PreviewedFeature['cause'], string>> = {
  change: '',
  segment: 'Uses a changed segment',
  parent: 'Depends on a changed feature',
};

/** As many names are listed. */
const maxNames = 5;

interface GroupProps {
  readonly feature: PreviewedFeature;
  readonly environment: string;
  readonly group: ChangedDecision;
}

function DecisionGroup({ feature, environment, group }: GroupProps) {
  const example = exampleOf(group);
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <Text>
          {whoText(group)}: <b>{changeText(group)}</b>
        </Text>
        <Text size="sm" className="quiet">
          {group.tried > 0 ? 'From your playground' : 'Example'}: {contextWords(example)} ·{' '}
          <PageLink
            to="/playground"
            search={{
              environments: [environment],
              projects: [feature.project],
              query: feature.name,
              contexts: [example],
            }}
            inherit
            underline="always"
            aria-label={`Open in playground: ${feature.name} for ${contextWords(example)}`}
          >
            Open in playground
          </PageLink>
        </Text>
        <Text size="sm" className="quiet">
          Now: {group.before.explanation}
        </Text>
        <Text size="sm" className="quiet">
          After: {group.after.explanation}
        </Text>
      </div>
    </li>
  );
}

function FeatureEffect({ feature, environment }: Omit<GroupProps, 'group'>) {
  const { name, project, cause, groups } = feature;
  return (
    <section className={`card ${classes.item}`} aria-label={`Effect on ${name}`}>
      <Title order={3} size="h5">
        <PageLink
          to="/projects/$projectId/features/$featureName"
          params={{ projectId: project, featureName: name }}
        >
          {name}
        </PageLink>
      </Title>
      <Text size="sm" className="quiet">
        {[causes[cause], countText(feature)].filter((part) => part !== '').join(' · ')}
      </Text>
      <Impact feature={name} environment={environment} />
      <ul className={classes.list}>
        {groups.map((group) => (
          <DecisionGroup key={changeText(group)} {...{ feature, environment, group }} />
        ))}
      </ul>
    </section>
  );
}

/** How the effect was found out, and what is missing. */
export function Limits({ preview, tried }: { readonly preview: Preview; readonly tried: number }) {
  const { contexts, truncated, incomplete, unmatched } = preview;
  const fields = [...new Set(unmatched.map(({ contextName }) => contextName))];
  const also = tried > 0 ? ', including those of your last visit to the playground' : '';
  return (
    <Text size="sm" className="quiet">
      Evaluated for {plural(contexts, 'sample context')} built from the constraints before and after
      the changes{also}. They show who is affected, not how many users.
      {truncated && ' Some features or contexts were left out because there are too many.'}
      {incomplete.length > 0 &&
        ` Only applications can evaluate the custom strategies of ${joinAnd(incomplete, maxNames)}.`}
      {fields.length > 0 &&
        ` No sample context matches the regular expressions for ${joinAnd(fields, maxNames)}.`}
    </Text>
  );
}

/** What is said if no one gets a different result. */
function sameText({ unchanged, uncertain }: Preview): string {
  if (uncertain.length > 0) {
    return `No different result was found, but ${joinAnd(uncertain, maxNames)} couldn't be evaluated completely.`;
  }
  if (unchanged.length === 0) return 'No evaluation depends on these changes.';
  const names = `${joinAnd(unchanged, maxNames)} ${agree(unchanged.length, 'is', 'are')}`;
  return `No one gets a different result: ${names} evaluated as before.`;
}

export function Effects({
  preview,
  environment,
}: {
  readonly preview: Preview;
  readonly environment: string;
}) {
  const { features, unchanged, uncertain } = preview;
  if (features.length === 0) return <Text>{sameText(preview)}</Text>;
  return (
    <>
      {features.map((feature) => (
        <FeatureEffect key={feature.name} {...{ feature, environment }} />
      ))}
      {unchanged.length > 0 && (
        <Text size="sm">Evaluated as before: {joinAnd(unchanged, maxNames)}</Text>
      )}
      {uncertain.length > 0 && (
        <Text size="sm">
          No different result found, but not evaluated completely: {joinAnd(uncertain, maxNames)}
        </Text>
      )}
    </>
  );
}

/** What a change request does to evaluations: who gets a different result, with examples. */
export function Effect({ request }: { readonly request: ChangeRequest }) {
  const { user } = useMe();
  const contexts = readTried(user.id);
  const params = { projectId: request.project, id: String(request.id) };
  const { features, segments, changes } = request;
  const hasChanges = features.length + segments.length + changes.length > 0;
  const isShown = openStates.includes(request.state) && hasChanges;
  const found = useQuery({
    queryKey: [operation, { params }, request.hash, contexts],
    queryFn: ({ signal }) => api(operation, { params, body: { contexts: [...contexts] }, signal }),
    enabled: isShown,
    retry: false,
  });
  if (!isShown) return null;
  return (
    <Section title="Effect">
      <Stack>
        {found.isPending && <Loader size="sm" aria-label="Loading the effect" />}
        {found.isError &&
          (found.error instanceof ApiError && found.error.status === 409 ? (
            <Text>
              {request.conflicts.length > 0
                ? 'No preview while there are conflicts.'
                : `No preview: ${found.error.message}`}
            </Text>
          ) : (
            <Problem error={found.error} />
          ))}
        {found.data && (
          <>
            <Effects preview={found.data} environment={request.environment} />
            {found.data.contexts > 0 && <Limits preview={found.data} tried={contexts.length} />}
          </>
        )}
      </Stack>
    </Section>
  );
}
