import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Section } from '../../ui/section.tsx';
import { ProjectFindings } from './findings.tsx';
import classes from './health.module.css';
import { History } from './history.tsx';
import { CiCheck, Score } from './score.tsx';

const Readiness = lazyPart(() => import('./readiness.tsx'), 'Readiness');

const route = getRouteApi('/shell/projects/$projectId/health');

/** The health of a project: its score, its history, and the features to clean up. */
export function ProjectHealth() {
  const { projectId } = route.useParams();
  const { check } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <Stack gap="lg">
        <div className={classes.pair}>
          <Score projectId={projectId} />
          <CiCheck projectId={projectId} />
        </div>
        <History projectId={projectId} />
        <Section title="Cleanup candidates">
          <ProjectFindings projectId={projectId} />
        </Section>
      </Stack>
      {check !== undefined && (
        <Suspense>
          <Readiness
            projectId={projectId}
            featureName={check}
            onClose={() =>
              void navigate({
                search: ({ check: _, ...before }) => before,
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Suspense>
      )}
    </>
  );
}
