import { useQuery } from '@tanstack/react-query';
import { actorName } from '../../directory.ts';
import { useFirstView } from '../../first-view.ts';
import { useMe } from '../../me.ts';
import { read } from '../../queries.ts';
import { directoryQuery, useDirectory } from '../../use-directory.ts';
import { stageNames, stateNames } from '../feature-words.ts';
import { ownerOptions } from '../owner-options.ts';
import type { FacetName } from './chosen-filters.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

export interface Facet {
  readonly name: FacetName;
  readonly label: string;
  readonly options: readonly Option[];
}

const named = (values: Readonly<Record<string, string>>): Option[] =>
  Object.entries(values).map(([value, label]) => ({ value, label }));

const states = named(stateNames);

const lastSeen = named({
  'within:1': 'Since yesterday',
  'within:7': 'Last 7 days',
  'before:7': 'Not in the last 7 days',
  'before:30': 'Not in the last 30 days',
  'before:90': 'Not in the last 90 days',
  never: 'Never',
});

const yes = (label: string): Option[] => [{ value: 'true', label }];

/** Of a long list only the first are shown, and production is what most people look for. */
const productionFirst = <E extends { readonly type: string }>(environments: readonly E[]): E[] => [
  ...environments.filter(({ type }) => type === 'production'),
  ...environments.filter(({ type }) => type !== 'production'),
];

/** Everything by which features can be filtered; inside a project not by project. */
export function useFacets(project?: string): readonly Facet[] {
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const ask = { enabled: useFirstView() };
  const types = useQuery({ ...read('GET /api/admin/feature-types', {}), ...ask }).data?.types ?? [];
  const tags = useQuery({ ...read('GET /api/admin/tags', {}), ...ask }).data?.tags ?? [];
  const segments =
    useQuery({ ...read('GET /api/admin/segments', {}), ...ask }).data?.segments ?? [];
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const inProject = useQuery({
    ...read('GET /api/admin/projects/:projectId/flag-creators', {
      params: { projectId: project ?? '' },
    }),
    enabled: ask.enabled && project !== undefined,
  }).data;
  const anywhere = useQuery({
    ...read('GET /api/admin/event-creators', {}),
    enabled: ask.enabled && project === undefined,
  }).data;
  const directory = useDirectory();
  const creators = inProject ?? anywhere ?? [];
  const { users, groups } = ownerOptions(useQuery(directoryQuery).data, useMe().user.id);
  return [
    ...(project === undefined
      ? [
          {
            name: 'project' as const,
            label: 'Project',
            options: projects.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]
      : []),
    {
      name: 'status',
      label: 'Environment',
      options: productionFirst(environments).flatMap(({ name }) => [
        { value: `${name}:enabled`, label: `Enabled in ${name}` },
        { value: `${name}:disabled`, label: `Disabled in ${name}` },
      ]),
    },
    {
      name: 'enabledIn',
      label: 'Enabled in',
      options: [...new Set(productionFirst(environments).map(({ type }) => type))].map((type) => ({
        value: type,
        label: `Any ${type} environment`,
      })),
    },
    {
      name: 'type',
      label: 'Type',
      options: types.map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: 'state', label: 'State', options: states },
    {
      name: 'lifecycle',
      label: 'Lifecycle',
      options: named(stageNames).filter(({ value }) => value !== 'archived'),
    },
    { name: 'lastSeenAt', label: 'Last evaluated', options: lastSeen },
    {
      name: 'tag',
      label: 'Tag',
      options: tags.map(({ type, value }) => ({
        value: `${type}:${value}`,
        label: `${type}:${value}`,
      })),
    },
    {
      name: 'segment',
      label: 'Segment',
      options: segments.map(({ name }) => ({ value: name, label: name })),
    },
    {
      name: 'createdBy',
      label: 'Created by',
      options: creators.map(({ id, name }) => ({
        value: String(id),
        label: actorName({ createdBy: name, createdByUserId: id }, directory).name,
      })),
    },
    {
      name: 'owner',
      label: 'Owner',
      options: [
        { value: 'me', label: 'Me' },
        { value: 'none', label: 'No owner' },
        ...users,
        ...groups.map(({ value, label }) => ({ value, label: `Group ${label}` })),
      ],
    },
    { name: 'expired', label: 'Expiry date', options: yes('Expired') },
    { name: 'favorite', label: 'Favorite', options: yes('My favorites') },
    { name: 'archived', label: 'Archive', options: yes('Archived features') },
  ];
}
