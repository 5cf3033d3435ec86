import type { Actor } from '../../platform/actor.ts';
import { dayMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import {
  imageUrlOf,
  listAdministrators,
  listProjectRolesOf,
  requireAccount,
} from '../access/users/index.ts';
import {
  countFeatures,
  getProjectOverviewFor,
  listProjectsFor,
} from '../catalogue/projects/index.ts';
import { getOnboardingStatus } from '../insights/health/index.ts';
import type { Dashboard, ProjectDetails } from './contract.ts';
import { findMeanHealth, listLatestEvents, listOwnFeatures } from './queries.ts';

interface Viewer {
  readonly actor: Actor;
  readonly baseUrl: string;
  readonly now: Date;
}

const maxFeatures = 100;
const maxAdministrators = 100;
const maxEvents = 5;

/** The dashboard of a user. Only readers who may read access see email addresses. */
export async function getDashboard(db: Db, viewer: Viewer): Promise<Dashboard> {
  const { actor, baseUrl } = viewer;
  const userId = requireAccount(actor);
  const held = new Set((await listProjectRolesOf(db, userId)).map(({ project }) => project));
  const seen = await listProjectsFor(db, viewer, { archived: false });
  const ownProjects = actor.may('ADMIN')
    ? seen
    : seen.filter(({ id, favorite }) => held.has(id) || favorite);
  const owners = new Map(
    seen.flatMap((project) => project.owners).map((owner) => [JSON.stringify(owner), owner]),
  );
  return {
    projects: ownProjects.map(({ id, name, health, memberCount, featureCount }) => ({
      id,
      name,
      health,
      memberCount,
      featureCount,
    })),
    flags: await listOwnFeatures(db, { userId, sees: actor.sees, limit: maxFeatures }),
    admins: (await listAdministrators(db, maxAdministrators)).map(({ id, name, username }) => ({
      id,
      ...(name && { name }),
      ...(username && { username }),
      imageUrl: imageUrlOf(id, baseUrl),
    })),
    projectOwners: [...owners.values()].filter(({ ownerType }) => ownerType === 'user'),
  };
}

const windowDays = 28;

/** The first and last day of a window that ends `daysAgo` days ago. */
function windowBefore(now: Date, daysAgo: number): readonly [string, string] {
  const day = (ago: number) => new Date(now.getTime() - ago * dayMs).toISOString().slice(0, 10);
  return [day(daysAgo + windowDays), day(daysAgo + 1)];
}

export async function getProjectDetails(
  db: Db,
  viewer: Viewer,
  project: string,
): Promise<ProjectDetails> {
  const { actor, baseUrl, now } = viewer;
  const userId = requireAccount(actor);
  const { owners } = await getProjectOverviewFor(db, viewer, project);
  const { total, stale, potentiallyStale, health } = await countFeatures(db, project, now);
  const roles = await listProjectRolesOf(db, userId, project);
  const events = await listLatestEvents(db, project, { limit: maxEvents, baseUrl });
  return {
    insights: {
      health,
      avgHealthCurrentWindow: await findMeanHealth(db, project, windowBefore(now, 0)),
      avgHealthPastWindow: await findMeanHealth(db, project, windowBefore(now, windowDays)),
      totalFlags: total,
      activeFlags: total - stale - potentiallyStale,
      staleFlags: stale,
      potentiallyStaleFlags: potentiallyStale,
    },
    owners,
    roles: roles.map(({ id, name, type }) => ({ id, name, type })),
    latestEvents: events.map(({ createdAt, ...event }) => ({
      ...event,
      createdAt: createdAt.toISOString(),
    })),
    onboardingStatus: await getOnboardingStatus(db, project),
  };
}
