import { Button, Group, Menu, Text } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconColumns3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { Actor } from '../../ui/actor.tsx';
import { moreText } from '../../ui/format.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { SinceInTable } from '../../ui/time.tsx';
import { stageNames, stateOf, typeName } from '../feature-words.ts';
import { OwnerName } from '../owner.tsx';
import { StateBadge } from '../state-badge.tsx';
import { FeatureSwitch } from '../switch.tsx';
import { EvaluationCount } from './evaluations.tsx';
import classes from './feature-list.module.css';
import type { FoundFeature } from './feature-pages.ts';
import { rolloutWords } from './rollout-words.ts';
import type { FeatureSearch } from './search.ts';
import { usualOf } from './usual-environments.ts';

export interface Column {
  readonly key: string;
  readonly label: string;
  /** In pixels. */
  readonly least: number;
  /** The share of what is left, where it may grow. */
  readonly share?: number;
  /** What the search sorts by; without it the head is no button. */
  readonly sortBy?: string;
  readonly environment?: string;
  readonly isProduction?: boolean;
  readonly cell: (feature: FoundFeature) => ReactNode;
}

const Instant = ({ instant }: { readonly instant: string | null }) =>
  instant === null ? <span className="quiet">Never</span> : <SinceInTable instant={instant} />;

const plainColumns: readonly Column[] = [
  {
    key: 'project',
    label: 'Project',
    least: 96,
    share: 0.35,
    sortBy: 'project',
    cell: ({ project }) => <ProjectName id={project} />,
  },
  { key: 'type', label: 'Type', least: 84, sortBy: 'type', cell: ({ type }) => typeName(type) },
  {
    key: 'state',
    label: 'State',
    least: 130,
    sortBy: 'stale',
    cell: (feature) => <StateBadge state={stateOf(feature)} className={classes.attention} />,
  },
  {
    key: 'lifecycle',
    label: 'Lifecycle',
    least: 130,
    cell: ({ lifecycle: { stage } }) => stageNames[stage],
  },
  {
    key: 'owner',
    label: 'Owner',
    least: 110,
    share: 0.3,
    sortBy: 'owner',
    cell: ({ owner }) =>
      owner ? <OwnerName owner={owner} /> : <span className="quiet">None</span>,
  },
  {
    key: 'tags',
    label: 'Tags',
    least: 104,
    share: 0.5,
    cell: ({ tags }) => (
      <Group gap={4} wrap="nowrap" title={tags.map((tag) => `${tag.type}:${tag.value}`).join(', ')}>
        {tags.slice(0, 2).map(({ type, value }) => (
          <span key={`${type}:${value}`} className={classes.tag}>
            {value}
          </span>
        ))}
        {tags.length > 2 && <Text size="xs">{moreText(tags.length - 2)}</Text>}
      </Group>
    ),
  },
  {
    key: 'lastSeenAt',
    label: 'Last evaluated',
    // "Nov 11, 2025"
    least: 116,
    sortBy: 'lastSeenAt',
    cell: ({ lastSeenAt }) => <Instant instant={lastSeenAt} />,
  },
  {
    key: 'evaluations',
    label: '7-day evaluations',
    least: 120,
    cell: ({ name }) => <EvaluationCount name={name} />,
  },
  {
    key: 'createdAt',
    label: 'Created',
    least: 116,
    sortBy: 'createdAt',
    cell: ({ createdAt }) => <Instant instant={createdAt} />,
  },
  {
    key: 'expiresAt',
    label: 'Expires',
    least: 116,
    sortBy: 'expiresAt',
    cell: ({ expiresAt }) => <Instant instant={expiresAt ?? null} />,
  },
  {
    key: 'createdBy',
    label: 'Created by',
    least: 100,
    share: 0.3,
    cell: ({ createdBy: { id, name } }) => <Actor name={name} id={id} />,
  },
];

const environmentColumn = (environment: string, isProduction: boolean): Column => ({
  key: `env:${environment}`,
  label: environment,
  least: isProduction ? 128 : 108,
  sortBy: `environment:${environment}`,
  environment,
  isProduction,
  cell: ({ name, project, archived, environments }) => {
    const state = environments.find((each) => each.name === environment);
    if (!state || archived) return <span className="quiet">–</span>;
    const words = rolloutWords(state);
    return (
      <>
        <FeatureSwitch
          project={project}
          feature={name}
          environment={environment}
          type={state.type}
          enabled={state.enabled}
          hasWords={words !== undefined}
        />
        {words && (
          <span
            className={`quiet tabular ${classes.rollout}`}
            title={words.title}
            data-disabled={!state.enabled || undefined}
          >
            {words.text}
          </span>
        )}
      </>
    );
  },
});

const usual = ['project', 'type', 'lastSeenAt'];
const usualWhereNarrow = ['project', 'type'];

interface Columns {
  readonly shown: readonly Column[];
  readonly all: readonly Column[];
  readonly choose: (keys: readonly string[] | undefined) => void;
}

/** The columns of the URL; without them those that were chosen last, otherwise the default ones. */
export function useColumns(
  search: FeatureSearch,
  onChange: (search: FeatureSearch) => void,
  project?: string,
): Columns {
  const listed = useQuery(read('GET /api/admin/environments', {})).data?.environments;
  const overview = useQuery({
    ...read('GET /api/admin/projects/:projectId/overview', {
      params: { projectId: project ?? '' },
    }),
    enabled: project !== undefined,
  }).data;
  const [remembered, remember] = useLocalStorage<readonly string[] | null>({
    key: 'burgee-feature-columns',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const isNarrow = useMediaQuery('(max-width: 75em)', false, { getInitialValueInEffect: false });
  const isWide = useMediaQuery('(min-width: 89em)', true, { getInitialValueInEffect: false });
  const own = overview?.environments.map(({ environment }) => environment);
  const possibleHere = (listed ?? []).filter(({ name, projectCount }) =>
    own ? own.includes(name) : projectCount > 0,
  );
  const environments = possibleHere.map(({ name }) => name).join('\n');
  const production = possibleHere
    .flatMap(({ name, type }) => (type === 'production' ? [name] : []))
    .join('\n');
  const usualHere = usualOf(possibleHere, isNarrow ? 2 : isWide ? 4 : 3)
    .map((name) => `env:${name}`)
    .join('\n');
  const wanted = (search.columns ?? remembered ?? undefined)?.join('\n');
  const { all, shown } = useMemo(() => {
    const names = environments === '' ? [] : environments.split('\n');
    const inProduction = production.split('\n');
    const possible = [
      ...plainColumns.filter(({ key }) => project === undefined || key !== 'project'),
      ...names.map((name) => environmentColumn(name, inProduction.includes(name))),
    ];
    const keys = wanted?.split('\n') ?? [
      ...(isNarrow ? usualWhereNarrow : usual),
      ...usualHere.split('\n'),
    ];
    return { all: possible, shown: possible.filter(({ key }) => keys.includes(key)) };
  }, [environments, production, usualHere, wanted, project, isNarrow]);
  const choose = (keys: readonly string[] | undefined) => {
    remember(keys ?? null);
    const { columns: _, ...rest } = search;
    onChange(keys === undefined ? rest : { ...rest, columns: keys });
  };
  return { shown, all, choose };
}

export function ColumnMenu({ shown, all, choose }: Columns) {
  const keys = shown.map(({ key }) => key);
  const item = ({ key, label }: Column) => (
    <Menu.CheckboxItem
      key={key}
      checked={keys.includes(key)}
      onChange={(checked) => choose(checked ? [...keys, key] : keys.filter((each) => each !== key))}
    >
      {label}
    </Menu.CheckboxItem>
  );
  return (
    <MenuButton
      position="bottom-end"
      closeOnItemClick={false}
      dropdown={{ mah: 420, className: classes.scrolls }}
      button={
        <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
          Columns
        </Button>
      }
    >
      {all.filter(({ environment }) => environment === undefined).map(item)}
      <Menu.Label>Environments</Menu.Label>
      {all.filter(({ environment }) => environment !== undefined).map(item)}
      <Menu.Divider />
      <Menu.Item onClick={() => choose(undefined)}>Reset columns</Menu.Item>
    </MenuButton>
  );
}
