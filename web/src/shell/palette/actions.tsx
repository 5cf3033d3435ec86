import { useMantineColorScheme } from '@mantine/core';
import {
  IconClock,
  IconCopy,
  IconFolderPlus,
  IconKeyboard,
  IconLink,
  IconLogout,
  IconPlus,
  IconShieldLock,
  IconStar,
  IconToggleLeft,
  IconToggleRight,
} from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, type Response } from '../../api.ts';
import { useNewFeature } from '../../flags/create/new-feature.tsx';
import { useRefusal, useRefusals } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { setTimeZone, timeZone } from '../../ui/time-zone.ts';
import { signOut } from '../own-menu.tsx';
import { schemes } from '../theme-switch.tsx';
import type { Thing } from './things.ts';

async function copy(text: string, title: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  tellDone({ id: 'copied', title });
}

interface Subject {
  readonly projectId: string;
  readonly featureName: string;
}

/** A switch of a feature in one environment. */
interface SwitchThing extends Thing {
  readonly verb: 'Enable' | 'Disable';
  readonly environment: string;
  readonly isProduction: boolean;
}

const featureQuery = ({ projectId, featureName }: Subject) =>
  read('GET /api/admin/projects/:projectId/features/:featureName', {
    params: { projectId, featureName },
  });

async function switchFeature(
  { projectId, featureName }: Subject,
  environment: string,
  enabled: boolean,
): Promise<void> {
  const params = { projectId, featureName, environment };
  await (enabled
    ? api(
        'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on',
        { params },
      )
    : api(
        'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off',
        { params },
      ));
  await invalidate(
    'GET /api/admin/search/features',
    'GET /api/admin/projects/:projectId/features/:featureName',
  );
}

type Feature = Response<'GET /api/admin/projects/:projectId/features/:featureName'>;

interface SwitchOptions {
  readonly feature: Feature;
  /** Whether its project asks before a change in production. */
  readonly asks: boolean;
  readonly refusalOf: ReturnType<typeof useRefusals>;
}

function switchIn(
  subject: Subject,
  { name, enabled, type }: Feature['environments'][number],
  { feature, asks, refusalOf }: SwitchOptions,
): SwitchThing {
  const verb = enabled ? 'Disable' : 'Enable';
  return {
    verb,
    environment: name,
    isProduction: type === 'production',
    id: `switch ${feature.name} ${name}`,
    label: `${verb} in ${name}`,
    hint: feature.name,
    words: `toggle on off switch enable disable ${feature.name}`,
    icon:
      type === 'production' ? (
        <IconShieldLock size={16} />
      ) : enabled ? (
        <IconToggleLeft size={16} />
      ) : (
        <IconToggleRight size={16} />
      ),
    refusal: refusalOf('UPDATE_FEATURE_ENVIRONMENT', {
      project: feature.project,
      environment: name,
    }),
    asksFirst:
      type === 'production' && asks ? { feature: feature.name, environment: name } : undefined,
    run: async () => {
      try {
        await switchFeature(subject, name, !enabled);
        tellDone({
          id: `${feature.name} ${name}`,
          title: `${feature.name} ${enabled ? 'disabled' : 'enabled'} in ${name}`,
          undo: () => switchFeature(subject, name, enabled),
        });
      } catch (error) {
        tellProblem(`${verb.toLowerCase()} ${feature.name} in ${name}`, error as Error);
      }
    },
  };
}

const isProduction = ({ type }: { readonly type: string }) => type === 'production';

/** Enables and disables features in each environment, production last; the switches of each feature. */
export function useSwitches(subjects: readonly Subject[]): readonly (readonly SwitchThing[])[] {
  const refusalOf = useRefusals();
  const features = useQueries({ queries: subjects.map(featureQuery) });
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  return subjects.map((subject, nth) => {
    const feature = features[nth]?.data;
    if (!feature) return [];
    const asks = projects?.find(({ id }) => id === feature.project)?.asksBeforeProduction ?? true;
    return [
      ...feature.environments.filter((each) => !isProduction(each)),
      ...feature.environments.filter(isProduction),
    ].map((each) => switchIn(subject, each, { feature, asks, refusalOf }));
  });
}

/** What can be done to the feature whose page is open. */
function useFeatureActions(): readonly Thing[] {
  const { projectId, featureName } = useParams({ strict: false });
  const subject =
    projectId !== undefined && featureName !== undefined ? { projectId, featureName } : undefined;
  const [switches = []] = useSwitches(subject ? [subject] : []);
  const feature = useQuery({
    ...featureQuery(subject ?? { projectId: '', featureName: '' }),
    enabled: subject !== undefined,
  }).data;
  if (!subject || !feature) return [];
  const star = async (isFavorite: boolean) => {
    const params = { projectId: subject.projectId, featureName: subject.featureName };
    await (isFavorite
      ? api('POST /api/admin/projects/:projectId/features/:featureName/favorites', { params })
      : api('DELETE /api/admin/projects/:projectId/features/:featureName/favorites', { params }));
    await invalidate(
      'GET /api/admin/search/features',
      'GET /api/admin/projects/:projectId/features/:featureName',
      'GET /api/admin/personal-dashboard',
    );
  };
  return [
    ...switches,
    {
      id: 'copy name',
      label: 'Copy feature name',
      hint: feature.name,
      icon: <IconCopy size={16} />,
      run: () => copy(feature.name, `Copied ${feature.name}`),
    },
    {
      id: 'star feature',
      label: feature.favorite ? 'Remove from favorites' : 'Add to favorites',
      hint: feature.name,
      words: 'star favorite bookmark',
      icon: <IconStar size={16} />,
      run: async () => {
        try {
          await star(!feature.favorite);
          tellDone({
            id: 'favorite',
            title: `${feature.name} ${feature.favorite ? 'removed from' : 'added to'} favorites`,
            undo: () => star(feature.favorite),
          });
        } catch (error) {
          const action = feature.favorite
            ? `remove ${feature.name} from favorites`
            : `add ${feature.name} to favorites`;
          tellProblem(action, error as Error);
        }
      },
    },
  ];
}

/** What can be done from here. */
export function useActions(openSheet: () => void): {
  readonly here: readonly Thing[];
  readonly everywhere: readonly Thing[];
} {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const here = useFeatureActions();
  const newFeature = useNewFeature(projectId);
  const { setColorScheme } = useMantineColorScheme();
  const projectRefusal = useRefusal('CREATE_PROJECT');
  return {
    here,
    everywhere: [
      {
        id: 'create feature',
        label: 'New feature',
        words: 'create add flag toggle',
        icon: <IconPlus size={16} />,
        refusal: newFeature.refusal,
        run: () =>
          void navigate({
            to: '/projects/$projectId/create-toggle',
            params: { projectId: newFeature.projectId },
            search: {},
          }),
      },
      {
        id: 'create project',
        label: 'New project',
        words: 'create add',
        icon: <IconFolderPlus size={16} />,
        refusal: projectRefusal,
        run: () => void navigate({ to: '/projects', search: { create: true } }),
      },
      {
        id: 'copy link',
        label: 'Copy link to this page',
        words: 'share url address',
        icon: <IconLink size={16} />,
        run: () => copy(window.location.href, 'Link copied'),
      },
      ...schemes.map(
        ({ value, label, icon: Icon }): Thing => ({
          id: `theme ${value}`,
          label: `Theme: ${label.toLowerCase()}`,
          words: 'appearance color colour scheme mode',
          icon: <Icon size={16} />,
          run: () => setColorScheme(value),
        }),
      ),
      {
        id: 'time zone',
        label: timeZone() === 'UTC' ? 'Show times in local time' : 'Show times in UTC',
        words: 'time zone',
        icon: <IconClock size={16} />,
        run: () => setTimeZone(timeZone() === 'UTC' ? 'local' : 'UTC'),
      },
      {
        id: 'shortcuts',
        label: 'Keyboard shortcuts',
        keys: ['?'],
        words: 'help keys',
        icon: <IconKeyboard size={16} />,
        run: openSheet,
      },
      {
        id: 'sign out',
        label: 'Sign out',
        words: 'log out logout',
        icon: <IconLogout size={16} />,
        run: signOut,
      },
    ],
  };
}
