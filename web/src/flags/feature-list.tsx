import { Badge, Group, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { api, type Response } from '../api.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageLink } from '../ui/link.tsx';
import { Problem } from '../ui/problem.tsx';
import { Since } from '../ui/time.tsx';
import { Waiting } from '../ui/waiting.tsx';
import classes from './flags.module.css';
import { type FeatureSearch, toQuery } from './search.ts';
import { FeatureSwitch } from './switch.tsx';

type Page = Response<'GET /api/admin/search/features'>;
type FoundFeature = Page['features'][number];

const pageSize = 100;

/** Features that match, page by page as somebody scrolls. */
function useFeatures(search: FeatureSearch, project?: string) {
  const query = toQuery(search, project);
  return useInfiniteQuery({
    queryKey: ['GET /api/admin/search/features', 'pages', query],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/search/features', {
        query: { ...query, limit: String(pageSize), offset: String(pageParam) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last: Page, pages: readonly Page[]) => {
      const read = pages.reduce((sum, { features }) => sum + features.length, 0);
      return read < last.total && last.features.length > 0 ? read : undefined;
    },
    placeholderData: keepPreviousData,
  });
}

/** The environments of all features shown, in the order of the installation. */
function environmentsOf(features: readonly FoundFeature[]): string[] {
  const orders = new Map<string, number>();
  for (const { environments } of features) {
    for (const { name, sortOrder } of environments) orders.set(name, sortOrder);
  }
  return [...orders].sort(([, a], [, b]) => a - b).map(([name]) => name);
}

function Row({
  feature,
  environments,
  withProject,
}: {
  readonly feature: FoundFeature;
  readonly environments: readonly string[];
  readonly withProject: boolean;
}) {
  const { name, project, type, stale, tags, lastSeenAt } = feature;
  const byName = new Map(feature.environments.map((each) => [each.name, each]));
  return (
    <>
      <div className={classes.name}>
        <PageLink
          to="/projects/$projectId/features/$featureName"
          params={{ projectId: project, featureName: name }}
          fw={600}
          truncate
          display="block"
        >
          {name}
        </PageLink>
        <Group gap={6} wrap="nowrap">
          <Text size="xs" className="quiet" truncate>
            {withProject && `${project} · `}
            {type}
            {lastSeenAt && (
              <>
                {' · seen '}
                <Since instant={lastSeenAt} />
              </>
            )}
          </Text>
          {stale && (
            <Badge size="xs" color="yellow" variant="light" tt="none">
              stale
            </Badge>
          )}
          {tags.slice(0, 2).map((tag) => (
            <Badge
              key={`${tag.type}:${tag.value}`}
              size="xs"
              variant="outline"
              color="gray"
              tt="none"
            >
              {tag.type}: {tag.value}
            </Badge>
          ))}
        </Group>
      </div>
      <div className={classes.switches}>
        {environments.map((environment) => {
          const state = byName.get(environment);
          return (
            <Group key={environment} gap={6}>
              {state ? (
                <>
                  <FeatureSwitch
                    project={project}
                    feature={name}
                    environment={environment}
                    type={state.type}
                    enabled={state.enabled}
                  />
                  <Text size="xs" className={classes.environmentName}>
                    {environment}
                  </Text>
                </>
              ) : (
                <Text size="xs" className="quiet" aria-hidden>
                  –
                </Text>
              )}
            </Group>
          );
        })}
      </div>
    </>
  );
}

interface Props {
  readonly search: FeatureSearch;
  readonly project?: string;
}

/** The list: only the rows on the screen are in the page, so ten thousand scroll as ten do. */
export function FeatureList({ search, project }: Props) {
  const navigate = useNavigate();
  const found = useFeatures(search, project);
  const frame = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(-1);
  const features = found.data?.pages.flatMap((page) => page.features) ?? [];
  const virtual = useVirtualizer({
    count: features.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 60,
    overscan: 12,
    getItemKey: (index) => features[index]?.name ?? index,
  });
  const rows = virtual.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  useEffect(() => {
    if (lastShown >= features.length - 30 && hasNextPage && !isFetchingNextPage)
      void fetchNextPage();
  }, [lastShown, features.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey }: KeyboardEvent) => {
      if (
        ctrlKey ||
        metaKey ||
        (target instanceof HTMLElement && /^(input|textarea)$/i.test(target.tagName))
      )
        return;
      const step = { j: 1, k: -1 }[key];
      if (step !== undefined) {
        const next = Math.min(features.length - 1, Math.max(0, active + step));
        setActive(next);
        virtual.scrollToIndex(next);
      }
      const chosen = features[active];
      if (key === 'Enter' && chosen && target === document.body) {
        void navigate({
          to: '/projects/$projectId/features/$featureName',
          params: { projectId: chosen.project, featureName: chosen.name },
        });
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active, features, navigate, virtual]);

  if (found.isPending) return <Waiting />;
  if (found.isError) return <Problem error={found.error} />;
  const total = found.data.pages[0]?.total ?? 0;
  const environments = environmentsOf(features);
  if (total === 0) {
    return (
      <EmptyState title="No feature matches">
        Change the filters above, or create a feature with{' '}
        <code>POST /api/admin/projects/:projectId/features</code>.
      </EmptyState>
    );
  }
  const columns = { '--environments': environments.length } as CSSProperties;
  return (
    <>
      <Text size="sm" className="quiet tabular" mb="xs" role="status">
        {new Intl.NumberFormat().format(total)} {total === 1 ? 'feature' : 'features'}
      </Text>
      <div className="card" style={columns}>
        <div className={`${classes.columns} ${classes.head}`}>
          <span>Feature</span>
          {environments.map((name) => (
            <Text key={name} size="xs" fw={600} truncate title={name}>
              {name}
            </Text>
          ))}
        </div>
        <section ref={frame} className={classes.list} aria-label="Features">
          <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {rows.map(({ index, key, start }) => {
              const feature = features[index];
              return feature ? (
                <div
                  key={key}
                  data-index={index}
                  ref={virtual.measureElement}
                  data-active={index === active || undefined}
                  className={`${classes.columns} ${classes.row}`}
                  style={{
                    position: 'absolute',
                    insetInline: 0,
                    transform: `translateY(${start}px)`,
                  }}
                >
                  <Row
                    feature={feature}
                    environments={environments}
                    withProject={project === undefined}
                  />
                </div>
              ) : null;
            })}
          </div>
        </section>
      </div>
    </>
  );
}
