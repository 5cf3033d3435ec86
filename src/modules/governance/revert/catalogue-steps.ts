import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import {
  changeContextField,
  context,
  createContextField,
  removeContextField,
} from '../../catalogue/context-fields/index.ts';
import {
  changeEnvironment,
  createEnvironment,
  environments,
  removeEnvironment,
} from '../../catalogue/environments/index.ts';
import {
  addEnvironment,
  archiveProject,
  changeProject,
  type ProjectChange,
  projects,
  type RestoredEnvironment,
  removeDefaultStrategy,
  removeEnvironment as removeFromProject,
  removeProject,
  restoreProject,
  reviveProject,
  setChangeRequestConfig,
  setDefaultStrategy,
  usualRules,
} from '../../catalogue/projects/index.ts';
import { changeSegment, createSegment, removeSegment } from '../../catalogue/segments/index.ts';
import {
  changeStrategyType,
  createStrategyType,
  deprecateStrategyType,
  reactivateStrategyType,
  removeStrategyType,
  strategyTypes,
} from '../../catalogue/strategy-types/index.ts';
import { changeTagType, createTagType, removeTagType, tags } from '../../catalogue/tags/index.ts';
import { features, setLifetime } from '../../flags/features/index.ts';
import type { Kind, Thing } from '../../history/index.ts';
import type { Step, StepServices } from './steps.ts';
import type { Board, Compared } from './things.ts';
import {
  refuseUsedEnvironment,
  refuseUsedField,
  refuseUsedInProject,
  refuseUsedProject,
} from './used.ts';

/** The ordinary changes from one state of a thing to another; undefined: there is none. */
type StepsOf<K extends Kind> = (
  thing: Thing,
  now: Compared[K] | undefined,
  wanted: Compared[K] | undefined,
  target: Board,
  services: StepServices | undefined,
) => Step[];

type Run = (tx: Tx) => Promise<unknown>;
type Permission = Step['permission'];

/** Of something that is created, changed, or deleted as a whole. */
const whole =
  <K extends Kind>(ways: {
    readonly create?: (wanted: Compared[K]) => readonly [Permission, Run];
    readonly change: (
      wanted: Compared[K],
      now: Compared[K],
    ) => readonly (readonly [Permission, Run])[];
    readonly remove?: (now: Compared[K]) => readonly [Permission, Run];
  }): StepsOf<K> =>
  (thing, now, wanted) => {
    const step = (stage: Step['stage'], [permission, run]: readonly [Permission, Run]): Step => ({
      stage,
      thing,
      ...(permission !== undefined && { permission }),
      run,
    });
    if (now && wanted) return ways.change(wanted, now).map((way) => step('create catalogue', way));
    if (wanted && ways.create) return [step('create catalogue', ways.create(wanted))];
    return now && ways.remove ? [step('delete catalogue', ways.remove(now))] : [];
  };

const segmentSteps = whole<'segment'>({
  create: ({ id, createdAt, ...segment }) => [
    undefined,
    (tx) =>
      createSegment(tx, segmentInput(segment), { keepsValues: true, identity: { id, createdAt } }),
  ],
  change: ({ id, ...segment }) => [
    [
      undefined,
      (tx) => changeSegment(tx, String(id), segmentInput(segment), { keepsValues: true }),
    ],
  ],
  remove: ({ id }) => [undefined, (tx) => removeSegment(tx, String(id))],
});

const segmentInput = (segment: Omit<Compared['segment'], 'id' | 'createdAt'>) => ({
  name: segment.name,
  description: segment.description,
  project: segment.project ?? null,
  constraints: [...segment.constraints],
});

const contextFieldSteps = whole<'context-field'>({
  create: ({ createdAt, ...field }) => [
    context.contract.createContextField.permission,
    (tx) => createContextField(tx, field, createdAt),
  ],
  change: ({ name, createdAt, ...field }) => [
    [context.contract.updateContextField.permission, (tx) => changeContextField(tx, name, field)],
  ],
  remove: ({ name }) => [
    context.contract.deleteContextField.permission,
    async (tx) => {
      await refuseUsedField(tx, name);
      await removeContextField(tx, name);
    },
  ],
});

const strategyTypeSteps = whole<'strategy-type'>({
  create: ({ name, title, description, parameters, deprecated }) => [
    strategyTypes.contract.createStrategyType.permission,
    async (tx) => {
      await createStrategyType(tx, {
        name,
        description,
        parameters: [...parameters],
        ...(title !== undefined && { title }),
      });
      if (deprecated) await deprecateStrategyType(tx, name);
    },
  ],
  change: ({ name, title = '', description, parameters, deprecated }, now) => {
    const isOther = !isDeepStrictEqual(
      { title, description, parameters },
      { title: now.title ?? '', description: now.description, parameters: now.parameters },
    );
    const { permission } = strategyTypes.contract.updateStrategyType;
    const change = { title, description, parameters: [...parameters] };
    const mark = deprecated ? deprecateStrategyType : reactivateStrategyType;
    return [
      ...(isOther ? [[permission, (tx: Tx) => changeStrategyType(tx, name, change)] as const] : []),
      ...(deprecated === now.deprecated ? [] : [[permission, (tx: Tx) => mark(tx, name)] as const]),
    ];
  },
  remove: ({ name }) => [
    strategyTypes.contract.deleteStrategyType.permission,
    (tx) => removeStrategyType(tx, name),
  ],
});

const tagTypeSteps = whole<'tag-type'>({
  create: (type) => [tags.contract.createTagType.permission, (tx) => createTagType(tx, type)],
  change: ({ name, ...type }) => [
    [tags.contract.updateTagType.permission, (tx) => changeTagType(tx, name, type)],
  ],
  remove: ({ name }) => [tags.contract.deleteTagType.permission, (tx) => removeTagType(tx, name)],
});

/** Roles, projects, and tokens refer to environments. The tokens of a deleted one don't come back. */
const environmentSteps: StepsOf<'environment'> = (thing, now, wanted) => {
  const { key: name } = thing;
  const { createEnvironment: create, updateEnvironment, deleteEnvironment } = environments.contract;
  if (!wanted) {
    return [
      {
        stage: 'delete environment',
        thing,
        permission: deleteEnvironment.permission,
        run: async (tx) => {
          await refuseUsedEnvironment(tx, name);
          await removeEnvironment(tx, name);
        },
      },
    ];
  }
  const { type, enabled, sortOrder, requiredApprovals = null } = wanted;
  const settings = { type, enabled, sortOrder, requiredApprovals };
  return [
    {
      stage: 'create environment',
      thing,
      permission: (now ? updateEnvironment : create).permission,
      run: (tx) =>
        now ? changeEnvironment(tx, name, settings) : createEnvironment(tx, { name, ...settings }),
    },
  ];
};

const featureTypeSteps = whole<'feature-type'>({
  change: ({ id, lifetimeDays }) => [
    [features.contract.setLifetime.permission, (tx) => setLifetime(tx, id, lifetimeDays)],
  ],
});

/** An archived project can't be changed, so that it is revived first and archived last. */
const projectSteps: StepsOf<'project'> = (thing, now, wanted, target, services) => {
  const project = thing.key;
  if (!wanted) return services ? [removal(thing, services)] : [];
  if (!now) return restoration(thing, wanted, target);
  const { archived: was, ...before } = now;
  const { archived, id, createdAt, ...after } = wanted;
  const { archiveProject: archive, reviveProject: revive, updateProject } = projects.contract;
  const change = { ...after, featureNaming: after.featureNaming ?? { pattern: '' } };
  return [
    ...(was && !archived
      ? [step('create catalogue', thing, revive.permission, (tx) => reviveProject(tx, project))]
      : []),
    ...(isDeepStrictEqual({ id, createdAt, ...after }, before)
      ? []
      : [
          step('create catalogue', thing, updateProject.permission, (tx) =>
            changeProject(tx, project, change as ProjectChange),
          ),
        ]),
    ...(archived && !was
      ? [step('delete catalogue', thing, archive.permission, (tx) => archiveProject(tx, project))]
      : []),
  ];
};

/** Its environments and access go with it. */
const removal = (thing: Thing, { runHook }: StepServices): Step =>
  step('delete project', thing, projects.contract.deleteProject.permission, async (tx) => {
    await refuseUsedProject(tx, thing.key);
    await removeProject(tx, thing.key, runHook);
  });

/** With its environments, so that what changed there before needs approval from the start. */
function restoration(thing: Thing, wanted: Compared['project'], target: Board): Step[] {
  const { archived, createdAt, ...draft } = wanted;
  const environments = [...target.partsOf('project-environment', thing.key)].map(
    ([name, { changeRequestRules: rules, ...settings }]) => ({ name, ...settings, rules }),
  );
  const { createProject, archiveProject: archive } = projects.contract;
  return [
    {
      ...step('create project', thing, undefined, (tx) =>
        restoreProject(tx, draft, createdAt, environments as RestoredEnvironment[]),
      ),
      project: undefined,
      permission: createProject.permission,
    },
    ...(archived
      ? [step('delete catalogue', thing, archive.permission, (tx) => archiveProject(tx, thing.key))]
      : []),
  ];
}

const step = (stage: Step['stage'], thing: Thing, permission: Permission, run: Run): Step => ({
  ...{ stage, thing, project: thing.key, run },
  ...(permission !== undefined && { permission }),
});

type Membership = Compared['project-environment'];

const setStrategy = async (
  tx: Tx,
  membership: { readonly project: string; readonly environment: string },
  { defaultStrategy }: Membership,
): Promise<void> => {
  type Strategy = Parameters<typeof setDefaultStrategy>[2];
  if (!defaultStrategy) await removeDefaultStrategy(tx, membership);
  else await setDefaultStrategy(tx, membership, defaultStrategy as Strategy, { isStored: true });
};

const approvalsOf = ({ defaultStrategy, changeRequestRules, ...settings }: Membership) => ({
  ...settings,
  rules: changeRequestRules ?? usualRules,
});

/** Approvals first: what follows is checked by the restored ones. */
const projectEnvironmentSteps: StepsOf<'project-environment'> = (
  thing,
  now,
  wanted,
  _,
  services,
) => {
  const { key: project, part: environment } = thing;
  const membership = { project, environment };
  const {
    addProjectEnvironment: add,
    removeProjectEnvironment: remove,
    setChangeRequestConfig: configure,
    setDefaultStrategy: set,
  } = projects.contract;
  const inEnvironment = (stage: Step['stage'], permission: Permission, run: Run): Step => ({
    ...step(stage, thing, permission, run),
    environment,
  });
  const setApprovals = (tx: Tx, { runHook }: StepServices, settings: Membership) =>
    setChangeRequestConfig(tx, membership, approvalsOf(settings), runHook);
  if (!wanted) {
    return services
      ? [
          inEnvironment('remove environment', remove.permission, async (tx) => {
            await refuseUsedInProject(tx, membership);
            await removeFromProject(tx, membership, services.runHook);
          }),
        ]
      : [];
  }
  if (!now) {
    return services
      ? [
          inEnvironment('add environment', add.permission, async (tx) => {
            const { changeRequestsEnabled } = wanted;
            await addEnvironment(tx, project, { environment, changeRequestsEnabled });
            await setApprovals(tx, services, wanted);
            await setStrategy(tx, membership, wanted);
          }),
        ]
      : [];
  }
  return [
    ...(services && !isDeepStrictEqual(approvalsOf(now), approvalsOf(wanted))
      ? [
          inEnvironment('add environment', configure.permission, (tx) =>
            setApprovals(tx, services, wanted),
          ),
        ]
      : []),
    ...(isDeepStrictEqual(now.defaultStrategy, wanted.defaultStrategy)
      ? []
      : [inEnvironment('change', set.permission, (tx) => setStrategy(tx, membership, wanted))]),
  ];
};

const stepsByKind: { readonly [K in Kind]?: StepsOf<K> } = {
  segment: segmentSteps,
  'context-field': contextFieldSteps,
  'strategy-type': strategyTypeSteps,
  'tag-type': tagTypeSteps,
  environment: environmentSteps,
  'feature-type': featureTypeSteps,
  project: projectSteps,
  'project-environment': projectEnvironmentSteps,
};

/** The ordinary changes that make something outside of features what it shall be. */
export const catalogueSteps = (
  thing: Thing,
  now: Board,
  target: Board,
  services: StepServices | undefined,
): Step[] => {
  const { kind, key } = thing;
  // It comes and goes with the project.
  const isOfOther =
    kind === 'project-environment' && !(now.get('project', key) && target.get('project', key));
  if (isOfOther) return [];
  const stepsOf = stepsByKind[kind] as StepsOf<Kind> | undefined;
  return (
    stepsOf?.(thing, now.find(thing) as never, target.find(thing) as never, target, services) ?? []
  );
};
