import { Code, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNewFeature } from '../../flags/create/new-feature.tsx';
import { read } from '../../queries.ts';
import { plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Since } from '../../ui/time.tsx';
import classes from './home.module.css';
import { FeatureRow, HomeCard } from './last.tsx';

const shown = 5;

/** Features that had their day. */
function OldFeatures() {
  const found = useQuery(
    read('GET /api/admin/search/features', {
      query: {
        state: 'IS_ANY_OF:stale,potentially-stale',
        limit: String(shown),
        sortBy: 'createdAt',
        sortOrder: 'asc',
      },
    }),
  ).data;
  if (!found || found.total === 0) return null;
  return (
    <HomeCard
      title={plural(found.total, 'feature had its day', 'features had their day')}
      more={
        <PageLink to="/search" search={{ state: 'stale,potentially-stale' }} size="sm">
          Clean up
        </PageLink>
      }
    >
      <ul className={classes.rows}>
        {found.features.map(({ name, project, stale, createdAt }) => (
          <FeatureRow
            key={name}
            project={project}
            name={name}
            note={
              <>
                {stale ? 'stale' : 'past the lifetime of its type'} · made{' '}
                <Since instant={createdAt} />
              </>
            }
          />
        ))}
      </ul>
    </HomeCard>
  );
}

/** Names that SDKs ask for and nobody made. */
function UnknownNames() {
  const unknown = useQuery(read('GET /api/admin/metrics/unknown-flags', {})).data?.unknownFlags;
  const { projectId, refusal } = useNewFeature();
  const names = [...Map.groupBy(unknown ?? [], ({ name }) => name)];
  if (names.length === 0) return null;
  return (
    <HomeCard
      title={`${plural(names.length, 'name is', 'names are')} asked for, and no feature`}
      more={
        <PageLink to="/unknown-flags" size="sm">
          Create or ignore
        </PageLink>
      }
    >
      <ul className={classes.rows}>
        {names.slice(0, shown).map(([name, asked]) => (
          <li key={name} className={classes.row}>
            <IconAlertTriangle size={15} aria-hidden className={classes.warning} />
            <span className={classes.name}>
              <Code>{name}</Code>
            </span>
            <Text size="xs" className="quiet">
              by {[...new Set(asked.map(({ appName }) => appName))].slice(0, 3).join(', ')}
            </Text>
            {refusal === undefined ? (
              <PageLink
                to="/projects/$projectId/create-toggle"
                params={{ projectId }}
                search={{ name }}
                size="xs"
              >
                Create it
              </PageLink>
            ) : (
              <GuardedButton refusal={refusal} size="compact-xs" variant="subtle">
                Create it
              </GuardedButton>
            )}
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}

/** Integrations that could not tell what they should. */
function FailingIntegrations() {
  const addons = useQuery(read('GET /api/admin/addons', {})).data?.addons ?? [];
  const failing = addons.filter(({ trouble, enabled }) => enabled && trouble !== undefined);
  if (failing.length === 0) return null;
  return (
    <HomeCard title={plural(failing.length, 'integration fails', 'integrations fail')}>
      <ul className={classes.rows}>
        {failing.slice(0, shown).map(({ id, provider, description, trouble }) => (
          <li key={id} className={classes.row}>
            <IconAlertTriangle size={15} aria-hidden className={classes.warning} />
            <PageLink
              to="/integrations/$id"
              params={{ id: String(id) }}
              search={{ state: 'givenUp' }}
              size="sm"
              className={classes.name ?? ''}
            >
              {description || provider}
            </PageLink>
            <Text size="xs" className="quiet">
              {trouble?.message}
            </Text>
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}

/** What waits for somebody. Nothing is shown where nothing waits. */
export const Attention = () => (
  <>
    <OldFeatures />
    <UnknownNames />
    <FailingIntegrations />
  </>
);
