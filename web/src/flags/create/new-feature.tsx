import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMe, useRefusal, useRefusals } from '../../me.ts';
import { read } from '../../queries.ts';
import { useRecent } from '../../shell/recent.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { usualProject } from './usual-project.ts';

/** Where a new feature is created by default, and why it can't be. The form offers the other projects. */
export function useNewFeature(project?: string | undefined): {
  readonly projectId: string;
  readonly refusal: string | undefined;
} {
  const refusalOf = useRefusals();
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  const allowed = projects?.filter(({ id }) => !refusalOf('CREATE_FEATURE', { project: id }));
  const opened = useRecent(useMe().user.id).map((place) => place.project);
  const projectId = project ?? usualProject(allowed ?? [], opened) ?? 'default';
  const here = useRefusal('CREATE_FEATURE', { project: projectId });
  const anywhere = useRefusal('CREATE_FEATURE');
  if (project !== undefined) return { projectId, refusal: here };
  return { projectId, refusal: allowed?.length === 0 ? anywhere : undefined };
}

interface Props {
  readonly project?: string | undefined;
  readonly name?: string;
  readonly label?: string;
}

/** Goes to the form of a new feature. */
export function NewFeatureButton({ project, name, label = 'New feature' }: Props) {
  const navigate = useNavigate();
  const { projectId, refusal } = useNewFeature(project);
  return (
    <GuardedButton
      refusal={refusal}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() =>
        void navigate({
          to: '/projects/$projectId/create-toggle',
          params: { projectId },
          search: name === undefined ? {} : { name },
        })
      }
    >
      {label}
    </GuardedButton>
  );
}
