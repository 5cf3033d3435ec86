import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
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
              {' · Archived '}
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
          title={`Delete ${name} permanently?`}
          action="Delete permanently"
          typed={id}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api('DELETE /api/admin/projects/:projectId', { params: { projectId: id } });
            await invalidate(...projectReads);
            tellDone({ id: `project ${id}`, title: `Project ${name} deleted` });
          }}
        >
          <Text size="sm">
            Its archived features and segments will be deleted, and API tokens limited to this
            project will stop working. This can't be undone. The event log keeps its history.
          </Text>
        </Confirm>
      )}
    </li>
  );
}

interface Props {
  readonly projects: readonly ListedProject[];
  /** The search that led to these projects. */
  readonly query: string | undefined;
  readonly onClear: () => void;
}

/** Archived projects, which can be revived or deleted. */
export function ArchivedProjects({ projects, query, onClear }: Props) {
  if (projects.length === 0 && query !== undefined) {
    return <NoMatch what="archived projects" query={query} onClear={onClear} />;
  }
  if (projects.length === 0) {
    return (
      <EmptyState title="No archived projects">
        Archived projects keep all their data and can be revived anytime. To archive one, archive
        its features, then open its settings.
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
