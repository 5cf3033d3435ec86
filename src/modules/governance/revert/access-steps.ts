import type { Tx } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import { roleIds } from '../../access/gate/index.ts';
import { changeGroup, createGroup, groups, removeGroup } from '../../access/groups/index.ts';
import { oidc, restoreOidcSettings } from '../../access/oidc/index.ts';
import { projectAccess, removeRoles, setRoles } from '../../access/project-access/index.ts';
import { changeRole, createRole, removeRole, roles } from '../../access/roles/index.ts';
import { changeServiceAccount, serviceAccounts } from '../../access/service-accounts/index.ts';
import {
  changeRetention,
  oidcSetting,
  removeSetting,
  setFrontendOrigins,
  setMaintenance,
  settings as settingModule,
  switchPasswordSignIn,
} from '../../access/settings/index.ts';
import { changePerson, users } from '../../access/users/index.ts';
import type { Thing } from '../../history/index.ts';
import type { Step, StepServices } from './steps.ts';
import type { Board, Compared } from './things.ts';
import { refuseUsedGroup } from './used.ts';

type Held = readonly number[];

/**
 * Who becomes an owner comes first and who no longer is one last, so that the project always has one. What is deleted
 * with its project needs no change of its own.
 */
function projectAccessSteps(thing: Thing, now: Board, target: Board): Step[] {
  const { kind, key: project, part } = thing;
  if (target.get('project', project) === undefined) return [];
  const [is, wanted] = [now.find(thing), target.find(thing)] as [Held, Held];
  const holder = {
    ...{ project, holder: Number(part) },
    kind: kind === 'project-user' ? ('user' as const) : ('group' as const),
  };
  const losesOwnership = is.includes(roleIds.owner) && !wanted.includes(roleIds.owner);
  const { setUserRoles, removeUserRoles } = projectAccess.contract;
  return [
    {
      stage: losesOwnership ? 'revoke' : 'grant',
      thing,
      project,
      ...(wanted.length > 0
        ? {
            permission: setUserRoles.permission,
            run: (tx) => setRoles(tx, holder, wanted),
          }
        : {
            permission: removeUserRoles.permission,
            run: (tx) => removeRoles(tx, holder),
          }),
    },
  ];
}

function roleSteps(thing: Thing, now: Board, target: Board): Step[] {
  const id = Number(thing.key);
  const [is, wanted] = [now.get('role', thing.key), target.get('role', thing.key)];
  if (!wanted) {
    const { permission } = roles.contract.deleteRole;
    return [{ stage: 'delete role', thing, permission, run: (tx) => removeRole(tx, id) }];
  }
  const { name, description } = wanted;
  const input = { name, description, permissions: [...wanted.permissions] };
  const type = wanted.type as 'custom' | 'root-custom';
  return [
    is
      ? {
          stage: 'create role',
          thing,
          permission: roles.contract.updateRole.permission,
          run: (tx) => changeRole(tx, id, input),
        }
      : {
          stage: 'create role',
          thing,
          permission: roles.contract.createRole.permission,
          run: (tx) => createRole(tx, { ...input, type }, id),
        },
  ];
}

/** A group with its members, which are changed together. */
function groupSteps(key: string, now: Board, target: Board, { runHook }: StepServices): Step[] {
  const id = Number(key);
  const thing: Thing = { kind: 'group', key, part: '' };
  const [is, wanted] = [now.get('group', key), target.get('group', key)];
  if (!wanted) {
    return [
      {
        stage: 'delete group',
        thing,
        permission: groups.contract.deleteGroup.permission,
        run: async (tx) => {
          await refuseUsedGroup(tx, id);
          await removeGroup(tx, id, runHook);
        },
      },
    ];
  }
  const members = [...target.partsOf('group-user', key).values()];
  const { name, description, mappingsSSO, rootRole } = wanted;
  const input = {
    ...{ name, description, rootRole },
    mappingsSSO: [...mappingsSSO],
    users: members.map(({ userId }) => ({ user: { id: userId } })),
  };
  const { createGroup: create, updateGroup: update } = groups.contract;
  return [
    is
      ? {
          stage: 'create group',
          thing,
          permission: update.permission,
          run: (tx) => changeGroup(tx, id, input),
        }
      : {
          stage: 'create group',
          thing,
          permission: create.permission,
          run: (tx) => createGroup(tx, input, id),
        },
  ];
}

/** Only the root role of an account is part of the history. */
function accountSteps(thing: Thing, target: Board, { settings }: StepServices): Step[] {
  const wanted = target.get('account', thing.key);
  if (!wanted) return [];
  const { id, kind, rootRole } = wanted;
  const isPerson = kind === 'person';
  const { updateUser } = users.contract;
  const { updateServiceAccount } = serviceAccounts.contract;
  return [
    {
      stage: 'change',
      thing,
      permission: (isPerson ? updateUser : updateServiceAccount).permission,
      run: (tx) =>
        isPerson
          ? changePerson(tx, id, { rootRole })
          : changeServiceAccount(tx, id, { rootRole }, settings.baseUrl),
    },
  ];
}

type Value = Compared['setting'];

interface SettingWay {
  readonly permission: string | readonly string[];
  readonly run: (tx: Tx, wanted: Value | undefined, services: StepServices) => Promise<unknown>;
}

/** Without a value, a setting has its default. */
const resettable =
  (id: string, set: (tx: Tx, wanted: Value) => Promise<unknown>): SettingWay['run'] =>
  (tx, wanted) =>
    wanted ? set(tx, wanted) : removeSetting(tx, id);

/** How each setting is changed, by its ID. */
const settingWays: Readonly<Record<string, SettingWay>> = {
  'maintenance.mode': {
    permission: settingModule.contract.toggleMaintenance.permission,
    run: resettable('maintenance.mode', (tx, wanted) =>
      setMaintenance(tx, { enabled: wanted.enabled === true }),
    ),
  },
  'unleash.frontend': {
    permission: settingModule.contract.setCors.permission,
    run: resettable('unleash.frontend', (tx, wanted) =>
      setFrontendOrigins(tx, wanted.frontendApiOrigins as string[]),
    ),
  },
  'unleash.auth.simple': {
    permission: settingModule.contract.setSimpleSignIn.permission,
    run: resettable('unleash.auth.simple', (tx, wanted) =>
      switchPasswordSignIn(tx, wanted.disabled === true),
    ),
  },
  'burgee.event-retention': {
    permission: settingModule.contract.setRetention.permission,
    run: (tx, wanted, { settings }) =>
      changeRetention(tx, settings, wanted ? Number(wanted.eventDays) : null),
  },
  [oidcSetting]: {
    permission: oidc.contract.setOidcSettings.permission,
    run: (tx, wanted, { settings }) => {
      if (!wanted)
        throw invalidOperation('its secret would be lost. Disable single sign-on instead');
      return restoreOidcSettings(tx, settings.encryptionKeys, wanted);
    },
  },
};

function settingSteps(thing: Thing, target: Board, services: StepServices): Step[] {
  const way = settingWays[thing.key];
  if (!way) return [];
  const wanted = target.get('setting', thing.key);
  const { permission, run } = way;
  return [{ stage: 'change', thing, permission, run: (tx) => run(tx, wanted, services) }];
}

/** The ordinary changes that make who may do what, and the settings, as they shall be. */
export function accessSteps(
  things: readonly Thing[],
  now: Board,
  target: Board,
  services: StepServices,
): Step[] {
  const changedGroups = new Set(
    things.filter(({ kind }) => kind === 'group' || kind === 'group-user').map(({ key }) => key),
  );
  return [
    ...[...changedGroups].flatMap((key) => groupSteps(key, now, target, services)),
    ...things.flatMap((thing): Step[] => {
      const { kind } = thing;
      if (kind === 'project-user' || kind === 'project-group') {
        return projectAccessSteps(thing, now, target);
      }
      if (kind === 'role') return roleSteps(thing, now, target);
      if (kind === 'account') return accountSteps(thing, target, services);
      return kind === 'setting' ? settingSteps(thing, target, services) : [];
    }),
  ];
}
