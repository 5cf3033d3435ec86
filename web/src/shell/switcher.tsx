import { UnstyledButton } from '@mantine/core';
import { IconFolder, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { memo, Suspense, useState } from 'react';
import { read } from '../queries.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import classes from './shell.module.css';

const ProjectList = lazyPart(() => import('./project-list.tsx'), 'ProjectList');

/** Switches to another project, from any page. The list is loaded when it is opened first. */
export const ProjectSwitcher = memo(({ onGo }: { readonly onGo: () => void }) => {
  const { projectId } = useParams({ strict: false });
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const [wasOpened, setOpened] = useState(false);
  const current = projects.find(({ id }) => id === projectId);
  const button = (
    <UnstyledButton
      className={classes.switcher}
      onClick={() => setOpened(true)}
      aria-haspopup="listbox"
      aria-label={current === undefined ? 'Select a project' : `${current.name}, switch project`}
    >
      <IconFolder size={16} aria-hidden />
      <span className={classes.switcherName}>{current?.name ?? 'Select a project'}</span>
      <IconSelector size={14} aria-hidden />
    </UnstyledButton>
  );
  if (!wasOpened) return button;
  return (
    <Suspense fallback={button}>
      <ProjectList projects={projects} projectId={projectId} button={button} onGo={onGo} />
    </Suspense>
  );
});
