import { roleIds } from '../../access/gate/index.ts';
import { projectAccess, removeRoles, setRoles } from '../../access/project-access/index.ts';
import type { Thing } from '../../history/index.ts';
import type { Step } from './steps.ts';
import type { Board } from './things.ts';

type Held = readonly number[];

const { setUserRoles, removeUserRoles } = projectAccess.contract;

/**
 * Who becomes an owner comes first and who no longer is one last, so that the project always has one. What is deleted
 * with its project needs no change of its own.
 */
function projectAccessSteps(thing: Thing, now: Board, target: Board): Step[] {
  const { kind, key: project, part } = thing;
  if (target.get('project', project) === undefined) return [];
  const [is, roles] = [now.find(thing), target.find(thing)] as [Held, Held];
  const holder = {
    ...{ project, holder: Number(part) },
    kind: kind === 'project-user' ? ('user' as const) : ('group' as const),
  };
  const losesOwnership = is.includes(roleIds.owner) && !roles.includes(roleIds.owner);
  return [
    {
      stage: losesOwnership ? 'revoke' : 'grant',
      thing,
      project,
      ...(roles.length > 0
        ? {
            permission: setUserRoles.permission,
            run: (tx) => setRoles(tx, holder, roles),
          }
        : {
            permission: removeUserRoles.permission,
            run: (tx) => removeRoles(tx, holder),
          }),
    },
  ];
}

/** The ordinary changes that make who may do what as it shall be. */
export const accessSteps = (things: readonly Thing[], now: Board, target: Board): Step[] =>
  things
    .filter(({ kind }) => kind === 'project-user' || kind === 'project-group')
    .flatMap((thing) => projectAccessSteps(thing, now, target));
