import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRefusal } from '../me.ts';
import { read } from '../queries.ts';
import { RefusableButton } from '../ui/refusable.tsx';

interface Props {
  /** Without one, a favourite project, or the first one. The form can change it. */
  readonly project?: string | undefined;
  readonly name?: string;
  readonly label?: string;
}

/** Goes to the form of a new feature. */
export function NewFeatureButton({ project, name, label = 'New feature' }: Props) {
  const navigate = useNavigate();
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const usual = projects.find(({ favorite }) => favorite) ?? projects[0];
  const projectId = project ?? usual?.id ?? 'default';
  const refusal = useRefusal('CREATE_FEATURE', { project: projectId });
  return (
    <RefusableButton
      // Somebody may have the permission in another project, which the form offers.
      refusal={project === undefined ? undefined : refusal}
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
    </RefusableButton>
  );
}
