import type { TestApp } from './app.ts';

/** Asks what became of projects. */
export const projectsOn = ({ ask }: Pick<TestApp, 'ask'>) => ({
  environments: async (project: string): Promise<string[]> => {
    const answer = (await ask(`GET /api/admin/environments/project/${project}`)).json();
    return answer.environments.map(({ name }: { name: string }) => name);
  },

  updatedAt: async (project: string): Promise<string> =>
    (await ask(`GET /api/admin/projects/${project}/overview`)).json().updatedAt,
});
