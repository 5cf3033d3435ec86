import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import {
  changeContextField,
  context,
  createContextField,
  removeContextField,
} from '../../catalogue/context-fields/index.ts';
import { changeEnvironment, environments } from '../../catalogue/environments/index.ts';
import {
  archiveProject,
  changeProject,
  type ProjectChange,
  projects,
  type RestoredEnvironment,
  removeDefaultStrategy,
  restoreProject,
  reviveProject,
  setDefaultStrategy,
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
import type { Step } from './steps.ts';
import type { Board, Compared } from './things.ts';

/** The ordinary changes from one state of a thing to another; undefined: there is none. */
type StepsOf<K extends Kind> = (
  thing: Thing,
  now: Compared[K] | undefined,
  wanted: Compared[K] | undefined,
  target: Board,
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
    (tx) => removeContextField(tx, name),
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

const environmentSteps = whole<'environment'>({
  change: ({ name, type, enabled, sortOrder, requiredApprovals = null }) => [
    [
      environments.contract.updateEnvironment.permission,
      (tx) => changeEnvironment(tx, name, { type, enabled, sortOrder, requiredApprovals }),
    ],
  ],
});

const featureTypeSteps = whole<'feature-type'>({
  change: ({ id, lifetimeDays }) => [
    [features.contract.setLifetime.permission, (tx) => setLifetime(tx, id, lifetimeDays)],
  ],
});

/** An archived project can't be changed, so that it is revived first and archived last. */
const projectSteps: StepsOf<'project'> = (thing, now, wanted, target) => {
  if (!wanted) return [];
  const project = thing.key;
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

const projectEnvironmentSteps: StepsOf<'project-environment'> = (thing, now, wanted) => {
  if (!now || !wanted || isDeepStrictEqual(now.defaultStrategy, wanted.defaultStrategy)) return [];
  const membership = { project: thing.key, environment: thing.part };
  const strategy = wanted.defaultStrategy;
  const { permission } = projects.contract.setDefaultStrategy;
  return [
    {
      ...step('change', thing, permission, (tx) =>
        strategy
          ? setDefaultStrategy(
              tx,
              membership,
              strategy as Parameters<typeof setDefaultStrategy>[2],
              {
                keepsValues: true,
              },
            )
          : removeDefaultStrategy(tx, membership),
      ),
      environment: thing.part,
    },
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
export const catalogueSteps = (thing: Thing, now: Board, target: Board): Step[] =>
  (stepsByKind[thing.kind] as StepsOf<Kind> | undefined)?.(
    thing,
    now.find(thing) as never,
    target.find(thing) as never,
    target,
  ) ?? [];
