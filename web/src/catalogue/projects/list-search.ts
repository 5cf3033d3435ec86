import type { Response } from '../../api.ts';

export type ListedProject = Response<'GET /api/admin/projects'>['projects'][number];

const columns = ['name', 'health', 'featureCount', 'memberCount', 'lastChange'] as const;
export type Column = (typeof columns)[number];

/** The search parameters of the project list. */
export interface ProjectListSearch {
  readonly query?: string;
  readonly archived?: boolean;
  readonly sortBy?: Column;
  readonly sortOrder?: 'desc';
  /** Whether the form for a new project is open. */
  readonly create?: boolean;
}

/** Reads search parameters, without invalid ones. */
export const readProjectListSearch = (raw: Record<string, unknown>): ProjectListSearch => {
  const sortBy = columns.find((column) => column === raw.sortBy);
  const query = typeof raw.query === 'number' ? String(raw.query) : raw.query;
  return {
    ...(typeof query === 'string' && query !== '' && { query }),
    ...(raw.archived === true && { archived: true }),
    ...(sortBy && { sortBy }),
    ...(raw.sortOrder === 'desc' && { sortOrder: 'desc' }),
    ...(raw.create === true && { create: true }),
  };
};

const sortValues: Readonly<Record<Column, (project: ListedProject) => number | string>> = {
  name: ({ name }) => name.toLowerCase(),
  health: ({ health }) => health,
  featureCount: ({ featureCount }) => featureCount,
  memberCount: ({ memberCount }) => memberCount,
  lastChange: ({ lastUpdatedAt, updatedAt }) => lastUpdatedAt ?? updatedAt,
};

/** The projects that match the search parameters, favorites first. */
export function chosenProjects(
  projects: readonly ListedProject[],
  { query = '', sortBy = 'name', sortOrder }: ProjectListSearch,
): ListedProject[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const value = sortValues[sortBy];
  const direction = sortOrder === 'desc' ? -1 : 1;
  return projects
    .filter(({ id, name, description = '', owners }) => {
      const text =
        `${id} ${name} ${description} ${owners.map((owner) => owner.name).join(' ')}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((one, other) => {
      if (one.favorite !== other.favorite) return one.favorite ? -1 : 1;
      const [a, b] = [value(one), value(other)];
      if (a !== b) return a < b ? -direction : direction;
      return one.name.localeCompare(other.name);
    });
}
