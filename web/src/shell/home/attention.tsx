import { Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconGitPullRequest } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNewFeature } from '../../flags/create/new-feature.tsx';
import { StateBadge } from '../../flags/state-badge.tsx';
import { nameOf } from '../../integrations/integration-name.ts';
import { conditionOf } from '../../integrations/words.ts';
import { read } from '../../queries.ts';
import { Actor } from '../../ui/actor.tsx';
import { moreText, numberText, plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Since } from '../../ui/time.tsx';
import { useAttention } from '../attention.ts';
import { ageText } from './age.ts';
import classes from './home.module.css';
import { FeatureRow, HomeCard } from './last.tsx';

const shown = 5;

/** Stale and potentially stale features. */
function FeaturesToCleanUp() {
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
  const hasAny = found !== undefined && found.total > 0;
  const types = useQuery({ ...read('GET /api/admin/feature-types', {}), enabled: hasAny }).data
    ?.types;
  if (!hasAny) return null;
  return (
    <HomeCard
      title={`${plural(found.total, 'feature')} to clean up`}
      more={
        <PageLink to="/search" search={{ state: 'stale,potentially-stale' }} size="sm">
          View all
        </PageLink>
      }
    >
      <ul className={classes.rows}>
        {found.features.map(({ name, project, type, stale, createdAt }) => (
          <FeatureRow
            key={name}
            project={project}
            name={name}
            note={
              <Group gap={6} component="span" wrap="nowrap">
                <StateBadge state={stale ? 'stale' : 'potentially-stale'} />
                {ageText(createdAt, types?.find(({ id }) => id === type)?.lifetimeDays, new Date())}
              </Group>
            }
          />
        ))}
      </ul>
    </HomeCard>
  );
}

const appsShown = 2;

/** "checkout, shop +2 more". */
const appsText = (apps: readonly string[]): string =>
  [
    apps.slice(0, appsShown).join(', '),
    ...(apps.length > appsShown ? [moreText(apps.length - appsShown)] : []),
  ].join(' ');

/** Flags that SDKs request and that no feature has. */
function UnknownFlags() {
  const hasAny = (useAttention()?.unknownFlags ?? 0) > 0;
  const unknown = useQuery({
    ...read('GET /api/admin/metrics/unknown-flags', {}),
    enabled: hasAny,
  }).data?.unknownFlags;
  const { projectId, refusal } = useNewFeature();
  const names = [...Map.groupBy(unknown ?? [], ({ name }) => name)];
  if (!hasAny || names.length === 0) return null;
  return (
    <HomeCard
      title={`${plural(names.length, 'unknown flag')} requested`}
      more={
        <PageLink to="/unknown-flags" size="sm">
          Review
        </PageLink>
      }
    >
      <ul className={classes.rows}>
        {names.slice(0, shown).map(([name, [newest, ...others]]) => (
          <li key={name} className={classes.row}>
            <IconAlertTriangle size={15} aria-hidden className={classes.warning} />
            <span className={classes.name}>
              <Code>{name}</Code>
            </span>
            {newest && (
              <Text size="xs" className="quiet">
                Requested by{' '}
                {appsText([...new Set([newest, ...others].map(({ appName }) => appName))])}{' '}
                <Since instant={newest.seenAt} />
              </Text>
            )}
            {refusal === undefined ? (
              <PageLink
                to="/projects/$projectId/create-toggle"
                params={{ projectId }}
                search={{ name }}
                size="xs"
              >
                Create feature
              </PageLink>
            ) : (
              <GuardedButton refusal={refusal} size="compact-xs" variant="subtle">
                Create feature
              </GuardedButton>
            )}
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}

function FailingIntegrations() {
  const hasAny = (useAttention()?.failingIntegrations ?? 0) > 0;
  const { addons = [], providers } =
    useQuery({ ...read('GET /api/admin/addons', {}), enabled: hasAny }).data ?? {};
  const failing = addons.filter((integration) => conditionOf(integration) === 'failing');
  if (!hasAny || failing.length === 0) return null;
  return (
    <HomeCard
      title={plural(failing.length, 'failing integration')}
      more={
        <PageLink to="/integrations" size="sm">
          View all
        </PageLink>
      }
    >
      <ul className={classes.rows}>
        {failing.slice(0, shown).map((integration) => (
          <li key={integration.id} className={classes.row}>
            <IconAlertTriangle size={15} aria-hidden className={classes.warning} />
            <PageLink
              to="/integrations/$id"
              params={{ id: String(integration.id) }}
              search={{ state: 'givenUp' }}
              size="sm"
              className={classes.name ?? ''}
            >
              {nameOf(integration, providers)}
            </PageLink>
            <Text
              size="xs"
              className="quiet"
              title={integration.delivery.lastError ?? integration.trouble?.message}
            >
              {integration.delivery.pending > 0 &&
                `${numberText(integration.delivery.pending)} pending · `}
              {integration.delivery.oldestPendingAt === undefined ? (
                integration.trouble && (
                  <>
                    Last failure <Since instant={integration.trouble.at} />
                  </>
                )
              ) : (
                <>
                  oldest <Since instant={integration.delivery.oldestPendingAt} />
                </>
              )}
            </Text>
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}

const listOf = {
  review: 'review',
  'emergency-review': 'emergencies',
  apply: 'mine',
} as const;

interface WaitingProps {
  readonly waitingFor: keyof typeof listOf;
  readonly count: number;
  readonly title: string;
}

function WaitingRequests({ waitingFor, count, title }: WaitingProps) {
  const found = useQuery({
    ...read('GET /api/admin/search/change-requests', {
      query: { waitingFor, limit: String(shown) },
    }),
    enabled: count > 0,
  }).data?.changeRequests;
  if (count === 0 || found === undefined || found.length === 0) return null;
  return (
    <HomeCard
      title={title}
      more={
        <PageLink to="/change-requests" search={{ list: listOf[waitingFor] }} size="sm">
          View all
        </PageLink>
      }
    >
      <ul className={classes.rows}>
        {found.map(({ id, project, environment, createdBy, createdAt, ...request }) => (
          <li key={id} className={classes.row}>
            <IconGitPullRequest size={15} aria-hidden className="quiet" />
            <PageLink
              to="/projects/$projectId/change-requests/$id"
              params={{ projectId: project, id: String(id) }}
              size="sm"
              className={classes.name ?? ''}
            >
              {request.title}
            </PageLink>
            <Text size="xs" className="quiet">
              {environment} · by <Actor name={createdBy.username} id={createdBy.id} />{' '}
              <Since instant={createdAt} />
            </Text>
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}

function ChangeRequests() {
  const attention = useAttention();
  const { changeRequestsToReview = 0, changeRequestsToApply = 0 } = attention ?? {};
  const { emergenciesToReview = 0 } = attention ?? {};
  return (
    <>
      <WaitingRequests
        waitingFor="review"
        count={changeRequestsToReview}
        title={`${plural(changeRequestsToReview, 'change request')} to review`}
      />
      <WaitingRequests
        waitingFor="emergency-review"
        count={emergenciesToReview}
        title={`${plural(emergenciesToReview, 'emergency', 'emergencies')} to review`}
      />
      <WaitingRequests
        waitingFor="apply"
        count={changeRequestsToApply}
        title={`${plural(changeRequestsToApply, 'approved change request')} to apply`}
      />
    </>
  );
}

/** What needs attention; nothing if nothing does. */
export const Attention = () => (
  <>
    <ChangeRequests />
    <FeaturesToCleanUp />
    <UnknownFlags />
    <FailingIntegrations />
  </>
);
