import { Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Response } from '../../../api.ts';
import { useRefusal } from '../../../me.ts';
import { invalidate, read } from '../../../queries.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { plural } from '../../../ui/format.ts';
import { GuardedButton } from '../../../ui/guarded.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { tellDone } from '../../../ui/notices.tsx';
import { projectReads, reviveProject } from '../archived-projects.tsx';
import classes from '../projects.module.css';

type Overview = Response<'GET /api/admin/projects/:projectId/overview'>;

/** Every instance has this project. The server refuses to archive it. */
const firstProject = 'default';

/** Archives a project, or says what has to be done first. */
export function ArchiveProject({ project }: { readonly project: Overview }) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const { id, name } = project;
  const mayNot = useRefusal('DELETE_PROJECT', { project: id });
  const active = project.featureTypeCounts.reduce((sum, { count }) => sum + count, 0);
  const tokens = useQuery(
    read('GET /api/admin/projects/:projectId/status', { params: { projectId: id } }),
  ).data?.resources.apiTokens;
  const obstacle =
    id === firstProject
      ? "The default project can't be archived."
      : active > 0
        ? `Archive or move ${plural(active, 'active feature')} first.`
        : undefined;
  return (
    <section aria-label="Archive project" className={classes.danger}>
      <Group justify="space-between" align="start">
        <div>
          <Title order={2} size="h4">
            Archive project
          </Title>
          <Text size="sm" className="quiet">
            Hides the project without deleting anything. You can revive it from the project list.
          </Text>
          {obstacle !== undefined && (
            <Text size="sm" mt={4}>
              {obstacle}{' '}
              {active > 0 && id !== firstProject && (
                <PageLink
                  to="/projects/$projectId"
                  params={{ projectId: id }}
                  size="sm"
                  underline="always"
                >
                  View features
                </PageLink>
              )}
            </Text>
          )}
        </div>
        <GuardedButton
          refusal={mayNot ?? obstacle}
          color="red.8"
          variant="outline"
          onClick={() => setAsking(true)}
        >
          Archive project…
        </GuardedButton>
      </Group>
      {isAsking && (
        <Confirm
          title={`Archive ${name}?`}
          action="Archive project"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api('POST /api/admin/projects/archive/:projectId', { params: { projectId: id } });
            await invalidate(...projectReads);
            await navigate({ to: '/projects' });
            tellDone({
              id: `project ${id}`,
              title: `Project ${name} archived`,
              undo: () => reviveProject(id, name),
            });
          }}
        >
          <Text size="sm">
            The project and its archived features will be hidden from everyone.
            {tokens !== undefined &&
              tokens > 0 &&
              ` ${plural(tokens, 'API token')} will stop returning its features.`}{' '}
            You can revive it anytime.
          </Text>
        </Confirm>
      )}
    </section>
  );
}
