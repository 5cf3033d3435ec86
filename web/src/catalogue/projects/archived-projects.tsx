import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuardedButton } from '../../ui/guarded.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Since } from '../../ui/time.tsx';
import type { ListedProject } from './list-search.ts';
import classes from './projects.module.css';

export const projectReads = [
  'GET /api/admin/projects',
  'GET /api/admin/projects/:projectId/overview',
] as const;

export async function reviveProject(projectId: string, name: string): Promise<void> {
  await api('POST /api/admin/projects/revive/:projectId', { params: { projectId } });
  await invalidate(...projectReads);
  tellDone({ id: `project ${projectId}`, title: `Project ${name} revived` });
}

function ArchivedProject({ project }: { readonly project: ListedProject }) {
  const { id, name, archivedAt } = project;
  const refusal = useRefusal('DELETE_PROJECT', { project: id });
  const [isDeleting, setDeleting] = useState(false);
  return (
    <li className={classes.archivedProject}>
      <div>
        <Text fw={600}>{name}</Text>
        <Text size="xs" className="quiet">
          {id}
          {archivedAt && (
            <>
              {' · archived '}
              <Since instant={archivedAt} />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs">
        <GuardedButton
          refusal={refusal}
          variant="default"
          size="xs"
          onClick={() =>
            void reviveProject(id, name).catch((error: Error) =>
              tellProblem(`revive ${name}`, error),
            )
          }
        >
          Revive
        </GuardedButton>
        <GuardedButton
          refusal={refusal}
          variant="subtle"
          color="red"
          size="xs"
          onClick={() => setDeleting(true)}
        >
          Delete…
        </GuardedButton>
      </Group>
      {isDeleting && (
        <Confirm
          title={`Delete ${name} for good?`}
          action="Delete for good"
          typed={id}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api('DELETE /api/admin/projects/:projectId', { params: { projectId: id } });
            await invalidate(...projectReads);
            tellDone({ id: `project ${id}`, title: `Project ${name} deleted` });
          }}
        >
          <Text size="sm">
            Its archived features and its segments are deleted too. API tokens that cover only this
            project stop working. Nothing brings them back; the event log keeps what happened.
          </Text>
        </Confirm>
      )}
    </li>
  );
}

/** Projects that were archived: they can come back, or go for good. */
export function ArchivedProjects({ projects }: { readonly projects: readonly ListedProject[] }) {
  if (projects.length === 0) {
    return (
      <EmptyState title="No archived projects">
        An archived project keeps everything and comes back with one click. A project can be
        archived in its settings after its features were archived.
      </EmptyState>
    );
  }
  return (
    <Stack component="ul" gap={0} className={`card ${classes.archivedProjects}`}>
      {projects.map((project) => (
        <ArchivedProject key={project.id} project={project} />
      ))}
    </Stack>
  );
}
