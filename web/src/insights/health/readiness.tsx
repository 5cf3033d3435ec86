import { Alert, Anchor, Drawer, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import {
  IconArchive,
  IconCheck,
  IconCircleCheck,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { featureQuery } from '../../flags/feature/feature-query.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { sinceText } from '../../ui/dates.ts';
import { plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageLink } from '../../ui/link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { refreshHealth } from './actions.ts';
import { codeAddressOf } from './code-address.ts';
import classes from './health.module.css';
import { conclusionOf, readinessOf, type Step } from './readiness.ts';

const BulkDialog = lazyPart(() => import('../../flags/bulk/bulk-dialog.tsx'), 'BulkDialog');
const CompleteDialog = lazyPart(() => import('./judge-dialog.tsx'), 'CompleteDialog');

interface Props {
  readonly projectId: string;
  readonly featureName: string;
  readonly onClose: () => void;
}

const placesShown = 50;

const signs = {
  done: { icon: IconCheck, color: 'teal', words: 'Yes' },
  open: { icon: IconX, color: 'yellow', words: 'Not yet' },
  unknown: { icon: IconQuestionMark, color: 'gray', words: 'Not known' },
} as const;

const StepRow = ({ step: { state, title, evidence } }: { readonly step: Step }) => {
  const { icon: Icon, color, words } = signs[state];
  return (
    <li className={classes.step}>
      <ThemeIcon size={22} radius="xl" variant="light" color={color} role="img" aria-label={words}>
        <Icon size={14} aria-hidden />
      </ThemeIcon>
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" className="quiet">
          {evidence}
        </Text>
      </div>
    </li>
  );
};

function useReadiness({ projectId, featureName }: Omit<Props, 'onClose'>) {
  const feature = useQuery(featureQuery({ projectId, featureName }));
  const code = useQuery(
    read('GET /api/admin/projects/:projectId/code-references', {
      params: { projectId },
      query: { feature: featureName, limit: String(placesShown) },
    }),
  );
  const usage = useQuery(
    read('GET /api/admin/client-metrics/features/:featureName', { params: { featureName } }),
  );
  const error = feature.error ?? code.error ?? usage.error;
  if (error) return { error };
  if (!feature.data || !code.data || !usage.data) return {};
  const now = new Date();
  const steps = readinessOf({
    feature: feature.data,
    applications: usage.data.seenApplications,
    code: code.data,
    now,
    since: (instant) => sinceText(instant, now),
  });
  return { feature: feature.data, code: code.data, steps };
}

/** Whether a feature can be removed: what has to hold, what is known of it, and where its code is. */
export function Readiness({ projectId, featureName, onClose }: Props) {
  const { error, feature, code, steps } = useReadiness({ projectId, featureName });
  const [question, setQuestion] = useState<'complete' | 'archive'>();
  const mayNotChange = useRefusal('UPDATE_FEATURE', { project: projectId });
  const mayNotArchive = useRefusal('DELETE_FEATURE', { project: projectId });
  const isDecided = steps?.find(({ id }) => id === 'decided')?.state === 'done';
  const isReady = steps?.every(({ state }) => state !== 'open');
  const commits = new Map(code?.scans.map((scan) => [scan.repository, scan.commit]));
  const close = () => setQuestion(undefined);
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size="md"
      transitionProps={{ duration: 100 }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          <Group justify="space-between" wrap="nowrap" py="md">
            <Drawer.Title fw={600} className={classes.findingText ?? ''}>
              Can {featureName} go?
            </Drawer.Title>
            <Drawer.CloseButton aria-label="Close" />
          </Group>
          {error && <Problem error={error} />}
          {!error && !steps && <Waiting />}
          {steps && feature && code && (
            <Stack>
              {feature.archived ? (
                <Alert color="gray">It is archived.</Alert>
              ) : (
                <Alert color={isReady ? 'teal' : 'yellow'} role="status">
                  {conclusionOf(steps)}
                </Alert>
              )}
              <ul className={classes.steps}>
                {steps.map((step) => (
                  <StepRow key={step.id} step={step} />
                ))}
              </ul>
              {code.references.length > 0 && (
                <section aria-label="Places in code">
                  <Title order={3} size="h5" mb={4}>
                    {plural(code.total, 'place in code', 'places in code')}
                  </Title>
                  <ul className={classes.places}>
                    {code.references.map(({ repository, path, line }) => {
                      const address = codeAddressOf({
                        repository,
                        commit: commits.get(repository) ?? null,
                        path,
                        line,
                      });
                      const place = `${path}:${line}`;
                      return (
                        <li key={`${repository} ${place}`}>
                          <Text size="xs" className="quiet" component="span">
                            {repository}{' '}
                          </Text>
                          {address === undefined ? (
                            <Text size="xs" ff="monospace" component="span">
                              {place}
                            </Text>
                          ) : (
                            <Anchor
                              href={address}
                              target="_blank"
                              rel="noreferrer"
                              size="xs"
                              ff="monospace"
                            >
                              {place}
                            </Anchor>
                          )}
                        </li>
                      );
                    })}
                  </ul>
                </section>
              )}
              <Group gap="xs">
                {!feature.archived && !isDecided && (
                  <GuardedButton
                    refusal={mayNotChange}
                    variant="default"
                    leftSection={<IconCircleCheck size={16} aria-hidden />}
                    onClick={() => setQuestion('complete')}
                  >
                    Complete…
                  </GuardedButton>
                )}
                {!feature.archived && (
                  <GuardedButton
                    refusal={mayNotArchive}
                    {...(!isReady && { variant: 'default' })}
                    leftSection={<IconArchive size={16} aria-hidden />}
                    onClick={() => setQuestion('archive')}
                  >
                    Archive…
                  </GuardedButton>
                )}
                <PageLink
                  to="/projects/$projectId/features/$featureName"
                  params={{ projectId, featureName }}
                  size="sm"
                >
                  Open the feature
                </PageLink>
              </Group>
            </Stack>
          )}
          <Suspense>
            {question === 'complete' && (
              <CompleteDialog projectId={projectId} names={[featureName]} onClose={close} />
            )}
            {question === 'archive' && (
              <BulkDialog
                action="archive"
                names={[featureName]}
                onGone={() => {
                  void refreshHealth();
                  onClose();
                }}
                onClose={close}
              />
            )}
          </Suspense>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
